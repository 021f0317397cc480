import { resolve } from 'node:path';
import type { Handler } from '../../command/command.ts';
import { checkSlug } from '../../parse/checks.ts';
import { readPipelineFile } from '../run/pipeline-file.ts';
import { pipelinePath, withService, suggestPipeline } from './with-service.ts';
import type { localPipelineAdd, localPipelineSet, localPipelineRemove } from './index.ts';
import { localPipeline } from './resources.ts';
import { usageError } from '../../errors.ts';
import { pair } from '../../parse/flag-values.ts';

/** `cictl local pipeline add`. */
export const addPipeline: Handler<typeof localPipelineAdd> = async (
  { dir, slug, restricted },
  context,
) => {
  if (slug !== undefined) checkSlug('pipeline', slug);
  const folder = resolve(context.cwd, dir);
  // A folder without a pipeline file is reported now, not at its first build.
  await readPipelineFile(folder, context.cwd);
  const body = { folder, restricted, ...(slug === undefined ? {} : { slug }) };
  await withService(context, async (call) => {
    await context.out.changed(
      localPipeline,
      async () => (await call('POST', pipelinePath(context), body)) as object,
      'added',
    );
  });
};

/** `cictl local pipeline set`. */
export const setPipeline: Handler<typeof localPipelineSet> = async (
  { slug, settings },
  context,
) => {
  checkSlug('pipeline', slug);
  const changes = Object.fromEntries(settings.map(readSetting));
  await withService(context, async (call) => {
    const change = async () =>
      (await call('PATCH', pipelinePath(context, slug), changes).catch(
        suggestPipeline(call, context, slug),
      )) as object;
    await context.out.changed(localPipeline, change);
  });
};

type Setting = string | boolean | null;

function readSetting(text: string): [key: string, value: Setting] {
  const [key, value] = pair(text, 'local pipeline set');
  if (isSwitch(key)) return [key, readSwitch(key, value)];
  if (!texts.has(key) && !key.startsWith('provider.settings.')) {
    throw usageError(`a pipeline has no setting ${key}`, 'cictl help local pipeline set');
  }
  return [key, value === '' ? null : value];
}

const texts = new Set([
  'description',
  'default_branch',
  'branch_configuration',
  'skip_queued_branch_builds_filter',
  'cancel_running_branch_builds_filter',
  'provider.webhook_url',
]);

/** Two members of `provider.settings` are texts (specification, "Pipeline"). */
const settingTexts = new Set(['provider.settings.trigger_mode', 'provider.settings.repository']);

const isSwitch = (key: string): boolean =>
  key === 'skip_queued_branch_builds' ||
  key === 'cancel_running_branch_builds' ||
  (key.startsWith('provider.settings.') && !settingTexts.has(key));

function readSwitch(key: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw usageError(`${key} is true or false, not ${JSON.stringify(value)}`);
}

/** Milliseconds: tens of thousands of builds with their logs take minutes. */
const longestRemoval = 3_600_000;

/** `cictl local pipeline remove`. */
export const removePipeline: Handler<typeof localPipelineRemove> = async ({ slug }, context) => {
  checkSlug('pipeline', slug);
  const path = pipelinePath(context, slug);
  await withService(context, async (call) => {
    await call('GET', path).catch(suggestPipeline(call, context, slug));
    await context.prompts.confirm(`Remove pipeline ${slug} with all its builds?`, '--yes');
    await call('DELETE', path, undefined, longestRemoval);
  });
  context.messages.note(`removed pipeline ${slug}`);
};
