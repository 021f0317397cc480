/** `/ORG/PIPELINE/stats`: the result of `builds stats` for the newest builds of a branch. */
import type { Build } from '../../api/resources/build.ts';
import { StatsForm, type StatsChoice, StatsView } from '../../pages/stats/stats-view.tsx';
import { collectBuildStats } from '../../pages/timeline.ts';
import { pipelinePath, webPipeline, pipelineCrumbs } from './addresses.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { nextTurn } from '../../common/clock.ts';

export const statsPage: PageHandler = async (call) => {
  const { org = '', pipeline = '' } = call.params;
  const builds = `${pipelinePath(call.params)}/builds`;
  const choice = await chooseBuilds(call, builds);
  const { branch } = choice;
  const collector = collectBuildStats();
  for await (const build of readFinishedBuilds(call, builds, choice)) collector.add(build);
  const branches = branch === '' ? [] : [branch];
  const stats = collector.stats({ organization: org, pipeline, branches });
  return {
    title: `Statistics for ${pipeline}`,
    crumbs: pipelineCrumbs(call.params, { text: 'Statistics' }),
    body: (
      <>
        <h1>Statistics for {pipeline}</h1>
        <StatsForm path={`${webPipeline(call.params)}/stats`} choice={choice} />
        <StatsView stats={stats} context={call.context} />
      </>
    ),
  };
};

/** Defaults to the default branch. An empty name selects all branches. */
async function chooseBuilds({ api, query }: PageCall, builds: string): Promise<StatsChoice> {
  const limit = Number(query.get('builds') ?? 100);
  const named = query.get('branch')?.trim();
  const [newest] = (await api.request('GET', `${builds}?per_page=1`)) as Build[];
  return {
    branch: named ?? newest?.pipeline?.default_branch ?? '',
    limit: Number.isInteger(limit) ? Math.min(1000, Math.max(1, limit)) : 100,
  };
}

/** A small number, so that other requests are not blocked for long. */
const perPage = 5;

/** Yields builds, newest first. If `branch` is empty, includes all branches. */
async function* readFinishedBuilds(
  { api, signal }: PageCall,
  builds: string,
  { branch, limit }: StatsChoice,
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
    // New builds may have moved builds from the previous page to this one.
    const fresh = found.filter(({ id }) => !seen.has(id)).slice(0, left);
    for (const { id } of fresh) seen.add(id);
    yield* fresh;
    left -= fresh.length;
    if (found.length < perPage) return;
    await nextTurn();
  }
}
