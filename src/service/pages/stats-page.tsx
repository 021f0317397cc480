/** `/ORG/PIPELINE/stats`: the numbers of `builds stats` over the newest builds of a branch. */
import type { Build } from '../../api/resources/build.ts';
import { StatsForm, type StatsChoice } from '../../pages/stats/stats-form.tsx';
import { StatsView } from '../../pages/stats/stats-view.tsx';
import { collectBuildStats } from '../../pages/stats/collect-build-stats.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { readFinishedBuilds } from './read-finished-builds.ts';

export const statsPage: PageHandler = async (call) => {
  const [org = '', pipeline = ''] = [call.params['org'], call.params['pipeline']];
  const builds = `/v2/organizations/${encodeURIComponent(org)}/pipelines/${encodeURIComponent(pipeline)}/builds`;
  const choice = await chooseBuilds(call, builds);
  const { branch } = choice;
  const collector = collectBuildStats();
  for await (const build of readFinishedBuilds(call, builds, choice)) collector.add(build);
  const branches = branch === '' ? [] : [branch];
  const stats = collector.stats({ organization: org, pipeline, branches });
  const path = `/${encodeURIComponent(org)}/${encodeURIComponent(pipeline)}`;
  return {
    title: `Statistics of ${pipeline}`,
    crumbs: [
      { text: org, href: `/${encodeURIComponent(org)}` },
      { text: pipeline, href: path },
      { text: 'Statistics' },
    ],
    body: (
      <>
        <h1>Statistics of {pipeline}</h1>
        <StatsForm path={`${path}/stats`} choice={choice} />
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
