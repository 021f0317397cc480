import { resolve } from 'node:path';
import type { Handler } from '../../command/command.ts';
import { usageError } from '../../errors.ts';
import { checkSlug } from '../../parse/checks.ts';
import { pair } from '../../parse/flag-values.ts';
import { readPipelineFile } from '../run/pipeline-file.ts';
import type { localPipelineAdd, localPipelineRemove, localPipelineSet } from './index.ts';
import { localPipeline } from './resources.ts';
import { orgPath, suggestPipeline, withService } from './with-service.ts';

export const addPipeline: Handler<typeof localPipelineAdd> = async (
  { dir, slug, restricted },
  context,
) => {
  if (slug !== undefined) checkSlug('pipeline', slug);
  const folder = resolve(context.cwd, dir);
  // Report a missing or invalid pipeline file now instead of at the first build.
  await readPipelineFile(folder, context.cwd);
  const body = { folder, restricted, ...(slug === undefined ? {} : { slug }) };
  await withService(context, (call) => {
    const add = () => call('POST', orgPath(context, 'pipelines'), body);
    return context.out.changed(localPipeline, add, 'added');
  });
};

export const setPipeline: Handler<typeof localPipelineSet> = async (
  { slug, settings },
  context,
) => {
  checkSlug('pipeline', slug);
  const changes = Object.fromEntries(settings.map(readSetting));
  await withService(context, (call) => {
    const change = () => call('PATCH', orgPath(context, 'pipelines', slug), changes);
    return context.out.changed(localPipeline, change);
  }).catch(suggestPipeline(context, slug));
};

function readSetting(text: string): [key: string, value: string | boolean | null] {
  const [key, value] = pair(text, 'local pipeline set');
  const isProviderSetting = key.startsWith('provider.settings.');
  if (switches.has(key) || (isProviderSetting && !texts.has(key))) {
    if (value === 'true' || value === 'false') return [key, value === 'true'];
    throw usageError(`${key} must be true or false, not ${JSON.stringify(value)}`);
  }
  if (texts.has(key)) return [key, value === '' ? null : value];
  throw usageError(`pipelines have no setting ${key}`, 'cictl help local pipeline set');
}

const switches = new Set(['skip_queued_branch_builds', 'cancel_running_branch_builds']);

/** Provider settings that are strings. All others are booleans (specification, "Pipeline"). */
const texts = new Set([
  'description',
  'default_branch',
  'branch_configuration',
  'skip_queued_branch_builds_filter',
  'cancel_running_branch_builds_filter',
  'provider.webhook_url',
  'provider.settings.trigger_mode',
  'provider.settings.repository',
]);

/** Milliseconds. Removing tens of thousands of builds with their logs takes minutes. */
const removalTimeout = 3_600_000;

export const removePipeline: Handler<typeof localPipelineRemove> = async ({ slug }, context) => {
  checkSlug('pipeline', slug);
  const path = orgPath(context, 'pipelines', slug);
  await withService(context, async (call) => {
    await call('GET', path);
    await context.prompts.confirm(`Remove pipeline ${slug} and all its builds?`, '--yes');
    await call('DELETE', path, undefined, removalTimeout);
  }).catch(suggestPipeline(context, slug));
  context.messages.note(`removed pipeline ${slug}`);
};
