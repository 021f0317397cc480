/** A store with builds of every kind, enough for more than one block of stored counts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createBuild } from '../../src/service/domain/build-lifecycle.ts';
import { newPipeline } from '../../src/service/domain/new-pipeline.ts';
import type { Build, BuildState } from '../../src/service/domain/records.ts';
import { usualRunOptions } from '../../src/service/run-options.ts';
import { openDatabase, type Database } from '../../src/service/store/database.ts';
import { storeOn, type Store } from '../../src/service/store/store.ts';
import { command, planOf } from './plans.ts';
import { addEmptyDatabase } from './empty-database.ts';

export interface ManyBuilds {
  readonly store: Store;
  readonly database: Database;
  /** In their current state, in the order of creation. */
  readonly builds: Build[];
  /** A random number from 0 to `n - 1`. Each run gets the same numbers. */
  readonly random: (n: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** Organizations `o0` and `o1`; pipelines `p0` and `p1` belong to the first, `p2` to the second. */
export function useManyBuilds(count: number, wrap = (database: Database) => database): ManyBuilds {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-many-builds-'));
  addEmptyDatabase(folder);
  const database = openDatabase(join(folder, 'service.db'));
  const store = storeOn(wrap(database));
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  const random = createRandom();
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const scene = { store, database, builds: [] as Build[], random, pick };
  store.transaction(() => {
    addPlaces(store);
    for (let n = 0; n < count; n++) addBuild(scene, n);
  });
  return scene;
}

function addPlaces(store: Store): void {
  for (const id of ['o0', 'o1'])
    store.accounts.addOrganization({ id, slug: id, name: id, createdAt: 0 });
  const paths = { folder: '/', file: null, repository: '/' };
  const fixed = { ...paths, restricted: false, defaultBranch: 'main' };
  for (const [id, organizationId] of Object.entries({ p0: 'o0', p1: 'o0', p2: 'o1' }))
    store.pipelines.add(
      newPipeline({ id, organizationId, slug: id, webhookUrl: '', createdAt: 0, ...fixed }),
    );
}

function addBuild({ store, builds, random, pick }: ManyBuilds, n: number): void {
  const pipelineId = pick(['p0', 'p0', 'p0', 'p1', 'p2']);
  const number = store.pipelines.nextNumber(pipelineId);
  const isScheduled = random(40) === 0;
  // Occasionally the clock is set back.
  const at = 1_000_000 + n * 1000 - (random(50) === 0 ? random(400_000) : 0);
  const tree = createBuild(
    {
      ...{ id: `b${n}`, organizationId: pipelineId === 'p2' ? 'o1' : 'o0', pipelineId, number },
      ...{ message: '', commit: pick(['c1', 'c2', `c-${n}`]), branch: pick(branches), env: {} },
      ...{ source: 'api', creatorId: pick([null, 'u1', 'u2']), author: null, pullRequest: null },
      metaData: { stage: pick(['test', 'production']), ...(random(9) === 0 && { rare: 'yes' }) },
      ...{ rebuiltFrom: null, cleanCheckout: false, ignoreBranchFilters: false },
      ...{ workspace: 'inplace', hostEnv: {}, options: usualRunOptions, triggeredFrom: null },
      ownPlan: false,
    },
    planOf(command('true')),
    at,
    () => `${n}-${random(1e9)}`,
  );
  store.builds.add(tree);
  const state = pick(isScheduled ? going : ended);
  const blocked = state === 'passed' && random(10) === 0;
  const finishedAt = going.includes(state) ? null : at + random(200) * 1000;
  const build = { ...tree.build, state, blocked, finishedAt };
  store.builds.update(tree, { ...tree, build });
  builds.push(build);
}

const branches = ['main', 'main', 'main', 'next', 'fix/1', 'fix/2'];
const going: readonly BuildState[] = ['scheduled', 'running', 'failing', 'canceling'];
const ended: readonly BuildState[] = [
  'passed',
  'passed',
  'passed',
  'failed',
  'canceled',
  'skipped',
];

function createRandom(): (n: number) => number {
  let state = 1;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
