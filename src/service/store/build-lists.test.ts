import { expect, test } from 'vitest';
import { useManyBuilds, type ManyBuilds } from '../../../test/support/many-builds.ts';
import type { Build, Tree } from '../domain/records.ts';
import type { BuildFilters } from './build-filters.ts';
import { isFull, some } from '../../../test/support/full.ts';

const many = isFull ? 2600 : 1300;

/** Random combinations of filters. */
function randomFilters({ random, pick }: ManyBuilds): BuildFilters {
  const at = (): number => 1_000_000 + random(many * 1000);
  const maybe = <T extends object>(part: T): Partial<T> => (random(4) === 0 ? part : {});
  return {
    ...pick<BuildFilters>([
      { pipelineId: 'p0' },
      { pipelineId: 'p1', organizationIds: ['o0'] },
      { pipelineId: 'p2', organizationIds: ['o0'] },
      { organizationIds: ['o0'] },
      { organizationIds: ['o0', 'o1', 'o0'] },
    ]),
    ...maybe({ branches: pick([['main'], ['fix/1', 'next', 'next'], ['none'], []]) }),
    ...maybe({ commits: [pick(['c1', 'c-7', 'c-2599']), 'c2'] }),
    ...maybe({ creatorId: pick(['u1', 'u9']) }),
    ...maybe({ states: pick(stateLists) }),
    ...maybe({ metaData: [pick([rare, ['stage', 'test']] as const), ['stage', 'test'] as const] }),
    ...maybe({ createdFrom: at() }),
    ...maybe({ createdTo: at() }),
    ...maybe({ finishedFrom: at() }),
  };
}

const rare = ['rare', 'yes'] as const;
const jobStates = ['scheduled', 'waiting', 'limited', 'running', 'canceling', 'passed'] as const;
const stateLists = [['finished'], ['blocked'], ['passed', 'running'], ['nothing'], ['scheduled']];

/** The expected result, by checking each build. */
function expected(builds: readonly Build[], filters: BuildFilters): Build[] {
  const { organizationIds, pipelineId, branches, commits, creatorId, states, metaData } = filters;
  const { createdFrom = -Infinity, createdTo = Infinity, finishedFrom } = filters;
  const wanted = states?.flatMap((one) =>
    one === 'finished' ? ['passed', 'failed', 'blocked', 'canceled'] : [one],
  );
  const holds = (build: Build): boolean =>
    (organizationIds?.includes(build.organizationId) ?? true) &&
    (pipelineId === undefined || build.pipelineId === pipelineId) &&
    (branches?.includes(build.branch) ?? true) &&
    (commits?.includes(build.commit) ?? true) &&
    (creatorId === undefined || build.creatorId === creatorId) &&
    (wanted === undefined ||
      wanted.includes(build.state) ||
      (build.blocked && wanted.includes('blocked'))) &&
    (metaData ?? []).every(([name, value]) => build.metaData[name] === value) &&
    build.createdAt >= createdFrom &&
    build.createdAt < createdTo &&
    (finishedFrom === undefined || (build.finishedAt !== null && build.finishedAt >= finishedFrom));
  return builds.filter(holds).reverse();
}

const ids = (builds: readonly Build[]): string[] => builds.map(({ id }) => id);

/** Compares lists, counts and pages with a check of each build. */
function check(scene: ManyBuilds, rounds: number): void {
  const { store, builds, random, pick } = scene;
  for (let round = 0; round < rounds; round++) {
    const filters = randomFilters(scene);
    const all = ids(expected(builds, filters));
    const name = JSON.stringify(filters);
    const offset = pick([0, 0, 5, random(many), all.length]);
    const slice = { offset, limit: pick([1, 30, 100]) };
    const end = slice.offset + slice.limit;
    expect(ids(store.builds.list(filters, slice)), name).toEqual(all.slice(offset, end));
    expect(store.builds.count(filters), name).toBe(all.length);
    if (all.length === 0) continue;
    const [from, to] = [random(all.length), random(all.length)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    const between = { after: all[from] ?? null, before: all[to] ?? null, limit: 10 };
    const piece = all.slice(from + 1, to);
    expect(store.builds.window(filters, { ...between, fromEnd: false }), name).toEqual(
      piece.slice(0, 10),
    );
    expect(store.builds.window(filters, { ...between, fromEnd: true }), name).toEqual(
      piece.slice(-10).reverse(),
    );
  }
}

/** Checks the numbers of unfinished builds per pipeline. */
function checkCounts({ store, builds }: ManyBuilds): void {
  for (const pipelineId of ['p0', 'p1', 'p2']) {
    const own = builds.filter((build) => build.pipelineId === pipelineId);
    const jobs = own.flatMap(({ id }) => store.builds.tree(id)?.jobs ?? []);
    const among = (all: readonly { readonly state: string }[], ...states: string[]): number =>
      all.filter(({ state }) => states.includes(state)).length;
    expect(store.builds.counts(pipelineId), pipelineId).toEqual({
      scheduled_builds_count: among(own, 'scheduled'),
      running_builds_count: among(own, 'running', 'failing', 'canceling'),
      scheduled_jobs_count: among(jobs, 'scheduled'),
      running_jobs_count: among(jobs, 'running', 'canceling'),
      waiting_jobs_count: among(jobs, 'waiting', 'limited'),
    });
  }
}

/** Checks the jobs per queue that are for agents. */
function checkQueues({ store, builds }: ManyBuilds): void {
  for (const organizationId of ['o0', 'o1']) {
    const jobs = builds
      .filter((build) => build.organizationId === organizationId)
      .flatMap(({ id }) => store.builds.tree(id)?.jobs ?? []);
    const expected: Record<string, number> = {};
    for (const { state } of jobs.filter(({ state }) => underWay.includes(state)))
      expected[`default ${state}`] = (expected[`default ${state}`] ?? 0) + 1;
    const found: Record<string, number> = {};
    for (const { queue, state, n } of store.builds.queueCounts(organizationId))
      found[`${queue} ${state}`] = (found[`${queue} ${state}`] ?? 0) + n;
    expect(found, organizationId).toEqual(expected);
  }
}

const underWay: readonly string[] = ['scheduled', 'running', 'canceling', 'waiting', 'limited'];

test('lists, counts and pages match a scan of every build', () => {
  const scene = useManyBuilds(many);
  check(scene, some(200));
  checkCounts(scene);
  checkQueues(scene);
});

test('recounts a large list only in changed blocks', () => {
  const asked: string[] = [];
  const { store } = useManyBuilds(many, (database) => ({
    ...database,
    get: (sql, ...values) => {
      asked.push(sql);
      return database.get(sql, ...values);
    },
  }));
  const filters = { organizationIds: ['o0'], branches: ['main'], states: ['finished'] };
  const looks = (): number => {
    asked.length = 0;
    store.builds.list(filters, { offset: 0, limit: 30 });
    store.builds.count(filters);
    return asked.filter((sql) => sql.startsWith('select count(*)')).length;
  };
  const first = looks();
  expect(looks()).toBe(0);
  const count = store.builds.count(filters);
  const [build] = store.builds.list(filters, { offset: 0, limit: 1 });
  const tree = store.builds.tree(build?.id ?? '') as Tree;
  store.builds.update(tree, {
    ...tree,
    build: { ...tree.build, state: 'running', blocked: false },
  });
  expect(looks()).toBe(first / Math.ceil(many / 1024));
  expect(store.builds.count(filters)).toBe(count - 1);
});

test('stays correct when builds change or a pipeline is deleted', () => {
  const scene = useManyBuilds(many);
  const { store, builds, random, pick } = scene;
  store.transaction(() => {
    for (let n = 0; n < 300; n++) {
      const index = random(builds.length);
      const build = builds[index] as Build;
      const before = store.builds.tree(build.id);
      if (before === undefined) throw new Error('the build is not there');
      const state = pick(['running', 'passed', 'canceled'] as const);
      const after: Build = {
        ...before.build,
        ...{ state, blocked: random(5) === 0 },
        finishedAt: state === 'running' ? null : 1_000_000 + random(many * 1000),
        metaData: pick([{}, { stage: 'test', rare: 'yes' }, { stage: 'test', other: 'x' }]),
      };
      const jobs = before.jobs.map((job) => ({ ...job, state: pick(jobStates) }));
      store.builds.update(before, { ...before, build: after, jobs });
      builds[index] = after;
    }
  });
  check(scene, some(100));
  checkCounts(scene);
  checkQueues(scene);
  store.pipelines.remove('p0');
  const left = builds.filter(({ pipelineId }) => pipelineId !== 'p0');
  builds.splice(0, builds.length, ...left);
  check(scene, some(100));
  checkCounts(scene);
  checkQueues(scene);
});
