/** The pipelines that build the repository of a checkout, by its remote. */
import type { Build } from '../api/resources/build.ts';
import type { Context } from '../context.ts';
import { git } from '../git.ts';
import { isSlug } from '../parse/slug.ts';
import { repositoryName } from './same-repository.ts';

export type CheckoutContext = Pick<
  Context,
  'settings' | 'client' | 'messages' | 'cwd' | 'remembered'
>;

export interface CheckoutPipelines {
  /** As `git remote` has it, without a password. */
  readonly remote: string;
  /** Slugs, that of the newest build first. */
  readonly pipelines: readonly string[];
}

/** So many builds of the organization are looked through. */
const looked = 100;

/**
 * The pipelines of the newest builds of an organization whose repository is the checkout's remote;
 * undefined where there is no remote. What was found is remembered for the remote.
 */
export async function checkoutPipelines(
  context: CheckoutContext,
  org: string,
): Promise<CheckoutPipelines | undefined> {
  const remote = await git.remote(context.cwd);
  if (remote === undefined) return undefined;
  const key = [context.settings.baseUrl, org, repositoryName(remote)];
  const known = await context.remembered.get(key);
  const pipelines = known ?? (await lookUp(context, org, remote));
  if (known === undefined && pipelines.length > 0) await context.remembered.put(key, pipelines);
  const from = known === undefined ? `the newest ${looked} builds of ${org}` : 'the cache';
  const names = pipelines.length === 0 ? 'no pipeline' : pipelines.join(', ');
  context.messages.debug(`the remote ${remote} is that of ${names}, by ${from}`);
  return { remote, pipelines };
}

async function lookUp(context: CheckoutContext, org: string, remote: string): Promise<string[]> {
  const name = repositoryName(remote);
  const found = new Set<string>();
  const { builds } = await context.client();
  let left = looked;
  for await (const build of builds.list({ org }, { perPage: looked })) {
    const slug = slugOf(build, name);
    if (slug !== undefined) found.add(slug);
    if (--left === 0) break;
  }
  return [...found];
}

/** A build whose members are odd is none of them. */
function slugOf({ pipeline }: Build, name: string): string | undefined {
  const { slug, repository }: { slug?: unknown; repository?: unknown } = pipeline ?? {};
  if (typeof slug !== 'string' || typeof repository !== 'string' || !isSlug(slug)) return undefined;
  return repositoryName(repository) === name ? slug : undefined;
}
