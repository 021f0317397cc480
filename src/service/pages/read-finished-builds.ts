import type { Build } from '../../api/resources/build.ts';
import { nextTurn } from '../../common/clock.ts';
import type { PageCall } from './page-call.ts';

/** So few that others are answered soon, whatever the builds are like. */
const perPage = 5;

/** The newest finished builds of a list of the API, newest first; all branches where none is named. */
export async function* readFinishedBuilds(
  { api, signal }: Pick<PageCall, 'api' | 'signal'>,
  builds: string,
  { branch, limit }: { readonly branch: string; readonly limit: number },
): AsyncGenerator<Build> {
  const query = new URLSearchParams({
    ...{ state: 'finished', include_retried_jobs: 'true', per_page: String(perPage) },
    ...(branch !== '' && { branch }),
  });
  const seen = new Set<unknown>();
  let left = limit;
  for (let page = 1; left > 0; page++) {
    signal.throwIfAborted();
    query.set('page', String(page));
    const found = (await api.request('GET', `${builds}?${query.toString()}`)) as Build[];
    // What has ended meanwhile has pushed others to this page that were on the last one.
    const fresh = found.filter(({ id }) => !seen.has(id)).slice(0, left);
    for (const { id } of fresh) seen.add(id);
    yield* fresh;
    left -= fresh.length;
    if (found.length < perPage) return;
    await nextTurn();
  }
}
