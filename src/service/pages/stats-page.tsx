/** `/ORG/PIPELINE/stats`: the numbers of `builds stats` over the newest builds of a branch. */
import type { Build } from '../../api/resources/build.ts';
import { StatsForm, type StatsChoice } from '../../pages/stats/stats-form.tsx';
import { StatsView } from '../../pages/stats/stats-view.tsx';
import { collectBuildStats } from '../../pages/stats/collect-build-stats.ts';
import { pipelinePath, webPipeline } from './api-paths.ts';
import { pipelineCrumbs } from './crumbs.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { readFinishedBuilds } from './read-finished-builds.ts';

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
    title: `Statistics of ${pipeline}`,
    crumbs: pipelineCrumbs(call.params, { text: 'Statistics' }),
    body: (
      <>
        <h1>Statistics of {pipeline}</h1>
        <StatsForm path={`${webPipeline(call.params)}/stats`} choice={choice} />
        <StatsView stats={stats} context={call.context} />
      </>
    ),
  };
};

/** The default branch where none is named; an empty name is all of them. */
async function chooseBuilds({ api, query }: PageCall, builds: string): Promise<StatsChoice> {
  const limit = Number(query.get('builds') ?? 100);
  const named = query.get('branch')?.trim();
  const [newest] = (await api.request('GET', `${builds}?per_page=1`)) as Build[];
  return {
    branch: named ?? newest?.pipeline?.default_branch ?? '',
    limit: Number.isInteger(limit) ? Math.min(1000, Math.max(1, limit)) : 100,
  };
}
