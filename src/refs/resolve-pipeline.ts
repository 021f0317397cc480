/** TARGET against the settings: the pipeline or the organization that a command works on. */
import type { BuildScope } from '../api/builds.ts';
import type { PipelineRef } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { reportOtherHost } from './other-host.ts';
import { parseTarget, type ParsedTarget } from './parse-reference.ts';
import { checkSlug } from '../parse/slug.ts';

type PipelineContext = Pick<Context, 'settings' | 'messages'>;

/** The pipeline that `text` names, else the one of the settings. Code 2 when a part is missing. */
export function resolvePipeline(context: PipelineContext, text: string | undefined): PipelineRef {
  const parsed = text === undefined ? {} : parseTarget(text);
  reportOtherHost(context, parsed);
  return completePipeline(context, parsed);
}

/** `known`: the pipeline where one is known, else the organization, else everything. */
export type ListScope = 'known' | 'org' | 'all';

/** What `builds list` lists (Specification, "Builds": three lists). */
export function resolveScope(
  context: PipelineContext,
  target: string | undefined,
  scope: ListScope,
): BuildScope {
  const { settings } = context;
  const parsed = target === undefined ? undefined : parseTarget(target);
  if (parsed !== undefined) reportOtherHost(context, parsed);
  if (scope === 'all') return {};
  const org = parsed?.org ?? settings.org;
  const pipeline = parsed === undefined ? settings.pipeline : parsed.pipeline;
  if (scope === 'known' && pipeline !== undefined)
    return completePipeline(context, { ...parsed, pipeline });
  return org === undefined ? {} : { org: checkSlug('organization', org) };
}

/** The organization of the settings. Code 2 when none is known. */
export const requireOrg = (context: Pick<Context, 'settings'>): string =>
  requireSlug(context, 'organization', context.settings.org);

/** Organization and pipeline, from the settings where they are not given. */
export function completePipeline(
  context: Pick<Context, 'settings'>,
  parsed: ParsedTarget,
): PipelineRef {
  const { settings } = context;
  return {
    org: requireSlug(context, 'organization', parsed.org ?? settings.org),
    pipeline: requireSlug(context, 'pipeline', parsed.pipeline ?? settings.pipeline),
  };
}

/** A missing credential is reported first: without a service there is nothing to name. */
function requireSlug(
  { settings }: Pick<Context, 'settings'>,
  what: 'organization' | 'pipeline',
  slug: string | undefined,
): string {
  if (slug !== undefined) return checkSlug(what, slug);
  if (settings.token === undefined && settings.refusals.token) throw settings.refusals.token;
  const key = what === 'organization' ? 'org' : what;
  throw usageError(
    `no ${what} is known: neither argument, flag, environment nor profile names one`,
    `--${key} SLUG, or cictl profile set ${key} SLUG`,
  );
}
