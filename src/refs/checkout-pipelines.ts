/** Finds the pipelines of a checkout by its directory or its remotes. */
import { isBuiltInAddress } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { git } from '../common/git.ts';
import { isWithin, placeOf, repositoryName } from '../common/checkout.ts';
import { isSlug } from '../parse/checks.ts';

export type CheckoutContext = Pick<
  Context,
  'settings' | 'client' | 'messages' | 'cwd' | 'env' | 'remembered'
>;

export interface CheckoutPipelines {
  readonly pipelines: readonly string[];
  readonly reason: string;
  /** URLs without credentials, the usual remote first */
  readonly remotes: readonly string[];
}

/** A pipeline as the service sent it. Any field may be missing. */
type ListedPipeline = Readonly<
  Partial<Record<'slug' | 'repository' | 'directory' | 'pipeline_file', unknown>>
>;

const looked = 100;

/**
 * Finds the pipelines whose repository is a remote of the checkout. In the local service,
 * pipelines that were added from this directory or its closest parent take precedence. Results of
 * other services are cached for a day.
 */
export function checkoutPipelines(
  context: CheckoutContext,
  org: string,
): Promise<CheckoutPipelines> {
  const { settings } = context;
  const found = asked.get(settings)?.get(org) ?? find(context, org);
  asked.set(settings, new Map(asked.get(settings)).set(org, found));
  return found;
}

/** Caches lookups, because a command may have many references without a pipeline. */
const asked = new WeakMap<object, Map<string, Promise<CheckoutPipelines>>>();

async function find(context: CheckoutContext, org: string): Promise<CheckoutPipelines> {
  const { cwd, settings, remembered, messages } = context;
  const { all: remotes } = await git.remotes(cwd);
  const byRemote = { remotes, reason: "its repository is this checkout's remote" };
  if (isBuiltInAddress(settings, context.env)) {
    const all = (await listed(context, org, undefined)) ?? [];
    const own = addedFrom(cwd, all);
    if (own.length > 0)
      return { pipelines: own, remotes, reason: 'it was added from this directory' };
    return { ...byRemote, pipelines: withRemote(all, remotes) };
  }
  if (remotes.length === 0) return { ...byRemote, pipelines: [] };
  const key = rememberedBy(settings.baseUrl, org, remotes);
  const known = await remembered.get(key);
  if (known !== undefined) {
    messages.debug('using the remembered pipeline for this checkout');
    return { ...byRemote, pipelines: known };
  }
  const pipelines = await lookUp(context, org, remotes);
  if (pipelines !== undefined) await remembered.put(key, pipelines);
  return { ...byRemote, pipelines: pipelines ?? [] };
}

export const rememberedBy = (
  baseUrl: string,
  org: string,
  remotes: readonly string[],
): string[] => [...[baseUrl, org], ...remotes.map(repositoryName)];

/** Undefined if the token may read neither pipelines nor builds. */
async function lookUp(
  context: CheckoutContext,
  org: string,
  remotes: readonly string[],
): Promise<string[] | undefined> {
  // Even a fork has only a few remotes, and each of them costs a request.
  for (const remote of remotes.slice(0, 3)) {
    // Services search the URL as text, and its scheme, user and host may differ.
    const path = repositoryName(remote).replace(/^[^/]*\//, '');
    const all = await listed(context, org, path);
    if (all === undefined) return undefined;
    const found = withRemote(all, [remote]);
    if (found.length > 0) return found;
  }
  return [];
}

/** The pipelines that the service lists. If it cannot list them, those of the newest builds. */
async function listed(
  context: CheckoutContext,
  org: string,
  repository: string | undefined,
): Promise<ListedPipeline[] | undefined> {
  const { pipelines, builds } = await context.client();
  const all = await unlessForbidden(async () => {
    const found: ListedPipeline[] = [];
    for await (const one of pipelines.list(org, repository === undefined ? {} : { repository }))
      found.push(one);
    return found;
  });
  if (all !== undefined) return all;
  context.messages.debug(
    `the service does not list pipelines; searching the newest ${looked} builds`,
  );
  return unlessForbidden(async () => {
    const found: ListedPipeline[] = [];
    let left = looked;
    for await (const { pipeline } of builds.list({ org }, { perPage: looked })) {
      if (typeof pipeline === 'object' && pipeline !== null) found.push(pipeline);
      if (--left === 0) break;
    }
    return found;
  }, [403]);
}

/** Undefined if the token has no permission, or if the service lacks the endpoint. */
export async function unlessForbidden<T>(
  ask: () => Promise<T>,
  statuses: readonly number[] = [403, 404, 405],
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CictlError && statuses.includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

export function addedFrom(cwd: string, all: readonly ListedPipeline[]): string[] {
  const here = placeOf(cwd);
  const around = all.flatMap((pipeline) => {
    const { directory } = pipeline;
    const place = typeof directory === 'string' ? placeOf(directory) : undefined;
    return place && isWithin(here, place) ? [{ ...pipeline, depth: place.path.length }] : [];
  });
  const deepest = Math.max(...around.map(({ depth }) => depth));
  return slugsOf(ofUsualFile(around.filter(({ depth }) => depth === deepest)));
}

/** `cictl run FILE` registers more pipelines. The one from the default file takes precedence. */
function ofUsualFile(all: readonly ListedPipeline[]): readonly ListedPipeline[] {
  const usual = all.filter(({ pipeline_file: file }) => typeof file !== 'string');
  return usual.length > 0 ? usual : all;
}

export function withRemote(all: readonly ListedPipeline[], remotes: readonly string[]): string[] {
  const name = ({ repository }: ListedPipeline): string =>
    typeof repository === 'string' ? repositoryName(repository) : '';
  for (const remote of remotes.map(repositoryName)) {
    const found = all.filter((pipeline) => name(pipeline) === remote);
    if (found.length > 0) return slugsOf(ofUsualFile(found));
  }
  return [];
}

const slugsOf = (all: readonly ListedPipeline[]): string[] => [
  ...new Set(
    all
      .map(({ slug }) => slug)
      .filter((slug) => typeof slug === 'string' && isSlug(slug)) as string[],
  ),
];
