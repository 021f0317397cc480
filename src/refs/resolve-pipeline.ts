/** TARGET against the settings: the pipeline or the organization that a command works on. */
import type { BuildScope } from '../api/builds.ts';
import type { PipelineRef } from '../api/refs.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import {
  checkoutPipelines,
  type CheckoutContext,
  type CheckoutPipelines,
} from './checkout-pipelines.ts';
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

/**
 * The same for a command that only reads: where nothing names a pipeline, that of the checkout's
 * remote. Code 2 where the remote is that of several.
 */
export async function readPipeline(
  context: CheckoutContext,
  parsed: ParsedTarget,
): Promise<PipelineRef> {
  const { settings } = context;
  const { org = settings.org, pipeline = settings.pipeline } = parsed;
  const isOpen = pipeline === undefined && org !== undefined && settings.token !== undefined;
  const found = isOpen
    ? await checkoutPipelines(context, checkSlug('organization', org))
    : undefined;
  const [first, ...others] = found?.pipelines ?? [];
  if (found !== undefined && others.length > 0) throw severalPipelines(found);
  return completePipeline(context, first === undefined ? parsed : { ...parsed, pipeline: first });
}

const severalPipelines = ({ remote, pipelines }: CheckoutPipelines) =>
  usageError(
    `which pipeline? The remote ${remote} is that of ${pipelines.join(', ')}`,
    `git config cictl.pipeline ${pipelines[0] ?? ''}`,
  );

/** `known`: the pipeline where one is known, else the organization, else everything. */
export type ListScope = 'known' | 'org' | 'all';

/** What `builds list` lists (Specification, "Builds": three lists). */
export async function resolveScope(
  context: CheckoutContext,
  target: string | undefined,
  scope: ListScope,
): Promise<BuildScope> {
  const { settings } = context;
  const parsed = target === undefined ? undefined : parseTarget(target);
  if (parsed !== undefined) reportOtherHost(context, parsed);
  if (scope === 'all') return {};
  const org = parsed?.org ?? settings.org;
  const pipeline = parsed === undefined ? settings.pipeline : parsed.pipeline;
  if (scope === 'known' && pipeline !== undefined)
    return completePipeline(context, { ...parsed, pipeline });
  if (org === undefined) return {};
  const own = target === undefined && scope === 'known' ? await onlyPipeline(context, org) : {};
  return { org: checkSlug('organization', org), ...own };
}

/** That of the checkout's remote, where it is one alone. */
async function onlyPipeline(context: CheckoutContext, org: string): Promise<{ pipeline?: string }> {
  if (context.settings.token === undefined) return {};
  const found = await checkoutPipelines(context, checkSlug('organization', org));
  const [pipeline, ...others] = found?.pipelines ?? [];
  return pipeline === undefined || others.length > 0 ? {} : { pipeline };
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
  refuseBoth(parsed.pipeline ?? settings.pipeline ?? '');
  return {
    org: requireSlug(context, 'organization', parsed.org ?? settings.org),
    pipeline: requireSlug(context, 'pipeline', parsed.pipeline ?? settings.pipeline),
  };
}

/** `-p acme/web`. */
function refuseBoth(slug: string): void {
  const [, org, pipeline] = /^([\w.-]+)\/([\w.-]+)$/.exec(slug) ?? [];
  if (org === undefined || pipeline === undefined) return;
  throw usageError(
    `${JSON.stringify(slug)} is an organization and a pipeline: each has a flag of its own`,
    `--org ${org} --pipeline ${pipeline}`,
  );
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
