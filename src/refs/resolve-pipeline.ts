import type { BuildScope } from '../api/builds.ts';
import { pipelineName, type PipelineRef } from '../api/refs.ts';
import { type Build, build as resource } from '../api/resources/build.ts';
import { isFromCurrentProfile } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { git } from '../common/git.ts';
import {
  mayBeInCheckout,
  placeOf,
  repositoryName,
  withoutCredentials,
} from '../common/checkout.ts';
import {
  checkoutPipelines,
  unlessForbidden,
  type CheckoutContext,
  type CheckoutPipelines,
} from './checkout-pipelines.ts';
import { parseTarget, type ParsedTarget, isUuid } from './parse-reference.ts';
import { checkSlug } from '../parse/checks.ts';
import { assertResource } from '../api/resources/check.ts';

/**
 * Returns the pipeline in `parsed`, otherwise the one in the settings, otherwise the checkout's.
 * Exit code 2 if there is none, or if the checkout has several. Commands that make changes report
 * which pipeline they use. These commands, and those with `needsOwn`, reject a pipeline from the
 * profile if it builds another repository.
 */
export async function resolvePipeline(
  context: CheckoutContext,
  parsed: ParsedTarget,
  { mutates, needsOwn = mutates }: { readonly mutates: boolean; readonly needsOwn?: boolean },
): Promise<PipelineRef> {
  const { settings, messages } = context;
  if (parsed.pipeline !== undefined) return completePipeline(context, parsed);
  const found = await ofCheckout(context, parsed.org);
  const [first, ...others] = found?.pipelines ?? [];
  if (others.length > 0) throw severalPipelines(context.cwd, found?.pipelines ?? []);
  const ref = completePipeline(
    context,
    first === undefined ? parsed : { ...parsed, pipeline: first },
  );
  const isOfProfile = first === undefined && isFromCurrentProfile(settings, 'pipeline');
  if (first === undefined && !isOfProfile) return ref;
  const source = isOfProfile ? `it is set in ${settings.sources['pipeline']}` : found?.reason;
  messages.debug(`pipeline is ${pipelineName(ref)}: ${source}`);
  if (isOfProfile && found !== undefined && needsOwn) await refuseForeign(context, ref, found);
  if (!mutates) return ref;
  messages.note(`using pipeline ${pipelineName(ref)}: ${source}`);
  return ref;
}

/** Undefined if a source of higher precedence sets a pipeline, or if no service is available. */
async function ofCheckout(
  context: CheckoutContext,
  org = context.settings.org,
): Promise<CheckoutPipelines | undefined> {
  const { settings } = context;
  const isNamed = settings.pipeline !== undefined && !isFromCurrentProfile(settings, 'pipeline');
  if (isNamed || org === undefined || settings.token === undefined) return undefined;
  return checkoutPipelines(context, checkSlug('organization', org));
}

function severalPipelines(cwd: string, pipelines: readonly string[]) {
  const isInCheckout = mayBeInCheckout(cwd);
  return usageError(
    `no pipeline given, and this ${isInCheckout ? 'checkout' : 'directory'} has several: ${pipelines.join(', ')}`,
    `${isInCheckout ? 'git config cictl.pipeline' : '-p'} ${pipelines[0] ?? ''}`,
  );
}

/** Exit code 2 if the profile's pipeline certainly builds another repository. */
async function refuseForeign(
  context: CheckoutContext,
  ref: PipelineRef,
  { remotes }: CheckoutPipelines,
): Promise<void> {
  const here = placeOf(context.cwd).repository;
  if (here === undefined && remotes.length === 0) return;
  const { repository, directory } = await whatItBuilds(context, ref);
  if (typeof repository !== 'string' || repository === '') return;
  // The pipeline's repository URL may be outdated, so also compare the remotes of its directory.
  const own = typeof directory === 'string' ? directory : undefined;
  const theirs = [repository, ...(own === undefined ? [] : (await git.remotes(own)).all)];
  const names = new Set(theirs.map(repositoryName));
  if (remotes.some((remote) => names.has(repositoryName(remote)))) return;
  // Without a remote, only a different repository on this machine is certain not to match.
  const place = own === undefined ? undefined : placeOf(own).repository;
  if (remotes.length === 0 && (place === undefined || place === here)) return;
  throw usageError(
    `pipeline ${pipelineName(ref)} (${context.settings.sources['pipeline']}) ` +
      `builds ${withoutCredentials(repository)}, ` +
      `not this checkout${remotes[0] === undefined ? '' : ` of ${remotes[0]}`}`,
    '-p SLUG, or git config cictl.pipeline SLUG',
  );
}

async function whatItBuilds(
  { client }: CheckoutContext,
  ref: PipelineRef,
): Promise<{ readonly repository?: unknown; readonly directory?: unknown }> {
  const { pipelines, builds } = await client();
  const pipeline = await unlessForbidden(() => pipelines.get(ref));
  if (pipeline !== undefined) return pipeline;
  const newest = await unlessForbidden(async (): Promise<Build | undefined> => {
    for await (const build of builds.list(ref, { perPage: 1 })) return build;
    return undefined;
  }, [403]);
  return newest?.pipeline ?? {};
}

/** `known`: the pipeline if it is set, otherwise the organization, otherwise everything. */
export type ListScope = 'known' | 'org' | 'all';

export async function resolveScope(
  context: CheckoutContext,
  target: string | undefined,
  scope: ListScope,
): Promise<BuildScope> {
  const { settings } = context;
  const parsed = target === undefined ? undefined : parseTarget(target);
  if (parsed !== undefined) reportOtherHost(context, parsed);
  if (scope === 'all') return {};
  if (scope === 'known') {
    if (parsed?.pipeline !== undefined) return completePipeline(context, parsed);
    const found = parsed === undefined ? await ofCheckout(context) : undefined;
    const [own, ...others] = found?.pipelines ?? [];
    const pipeline = parsed === undefined ? (own ?? settings.pipeline) : undefined;
    if (own !== undefined) context.messages.debug(`pipeline of this checkout: ${found?.reason}`);
    if (pipeline !== undefined && others.length === 0)
      return completePipeline(context, { pipeline });
  }
  const org = parsed?.org ?? settings.org;
  return org === undefined ? {} : { org: checkSlug('organization', org) };
}

export const requireOrg = (context: Pick<Context, 'settings'>): string =>
  requireSlug(context, 'organization', context.settings.org);

export function completePipeline(
  context: Pick<Context, 'settings' | 'cwd'>,
  parsed: ParsedTarget,
): PipelineRef {
  const { settings } = context;
  refuseBoth(parsed.pipeline ?? settings.pipeline ?? '');
  return {
    org: requireSlug(context, 'organization', parsed.org ?? settings.org),
    pipeline: requireSlug(context, 'pipeline', parsed.pipeline ?? settings.pipeline),
  };
}

function refuseBoth(slug: string): void {
  const [, org, pipeline] = /^([\w.-]+)\/([\w.-]+)$/.exec(slug) ?? [];
  if (org === undefined || pipeline === undefined) return;
  throw usageError(
    `${JSON.stringify(slug)} is an organization and a pipeline; use separate flags`,
    `--org ${org} --pipeline ${pipeline}`,
  );
}

/** Reports a missing token before a missing slug, because the token matters more. */
function requireSlug(
  { settings, cwd }: Pick<Context, 'settings'> & Partial<Pick<Context, 'cwd'>>,
  what: 'organization' | 'pipeline',
  slug: string | undefined,
): string {
  if (slug !== undefined) return checkSlug(what, slug);
  if (settings.token === undefined && settings.refusals.token) throw settings.refusals.token;
  const key = what === 'organization' ? 'org' : what;
  const isInCheckout = what === 'pipeline' && cwd !== undefined && mayBeInCheckout(cwd);
  throw usageError(
    `no ${what} set by argument, flag, environment, git config or profile` +
      (isInCheckout ? ', and no pipeline matches this checkout' : ''),
    // Suggests git config, because a profile would apply the pipeline to all repositories.
    isInCheckout
      ? 'git config cictl.pipeline SLUG'
      : `--${key} SLUG, or cictl profile set ${key} SLUG`,
  );
}

/** Finds a pipeline's ID through its newest build. Exit code 2 if the pipeline has no builds. */
export async function pipelineUuid(org: string, text: string, context: Context): Promise<string> {
  if (isUuid(text)) return text;
  const pipeline = checkSlug('pipeline', text);
  const { builds } = await context.client();
  for await (const build of builds.list({ org, pipeline }, { perPage: 1 })) {
    assertResource(resource, build);
    const id = build.pipeline?.id;
    if (id) return id;
  }
  throw usageError(
    `cannot look up the UUID of pipeline ${org}/${pipeline}: it has no builds; use its UUID instead of the slug`,
  );
}

/** If the URL's host belongs to another profile, notes that the selected profile is used. */
export function reportOtherHost(
  { settings, messages }: Pick<Context, 'settings' | 'messages'>,
  { host }: ParsedTarget,
): void {
  if (host === undefined || hasHost([settings.baseUrl, settings.graphqlUrl], host)) return;
  const other = settings.otherProfiles.find(({ addresses }) => hasHost(addresses, host));
  if (other === undefined) return;
  const chosen = settings.profile === undefined ? '' : ` (profile ${settings.profile})`;
  messages.note(`using ${settings.baseUrl}${chosen}; to use ${host}: --profile ${other.name}`);
}

/** Web URLs use the host itself. The public service's API hosts are subdomains such as `api.`. */
const hasHost = (addresses: readonly string[], host: string): boolean =>
  addresses.some((address) => {
    const own = new URL(address).host;
    return own === host || (own.endsWith(`.${host}`) && own.split('.')[0] === 'api');
  });
