/**
 * Fills a data directory with finished builds, using the domain and store of the built-in service.
 */
import { bootstrap } from '../src/service/accounts.ts';
import { createBuild, type NewBuild } from '../src/service/domain/build-lifecycle.ts';
import { finishJob, startJob } from '../src/service/domain/job-lifecycle.ts';
import type { Pipeline, Tree } from '../src/service/domain/records.ts';
import { plainCommand, type Plan } from '../src/service/pipeline/plan.ts';
import { usualRunOptions } from '../src/service/run-options.ts';
import { lockFolder } from '../src/service/store/lock.ts';
import { openStore, type Store } from '../src/service/store/store.ts';
import { ascendingIds } from './fill-ids.ts';
import { pipelinesIn } from './fill-pipelines.ts';

export interface Filling {
  readonly builds: number;
  /** Per build; default 6. */
  readonly jobs?: number;
  /** How many of the newest builds are blocked; by default at most 20. */
  readonly blocked?: number;
  /**
   * When the last build was created, in milliseconds; default now. Builds are five minutes apart.
   */
  readonly until?: number;
}

const newId = ascendingIds(Date.now());
const agents = [1, 2].map((n) => ({ id: newId(), name: `local-${n}`, createdAt: 0 }));
const minute = 60_000;
/** Builds per transaction: more need more memory, fewer need more time. */
const batch = 4000;

/**
 * Adds builds alternately to the pipelines `web` and `api` of the organization `local`, which are
 * created if missing. Throws if a service is using the directory.
 */
export async function fillStore(dataDir: string, filling: Filling): Promise<void> {
  const unlock = lockFolder(dataDir);
  const store = openStore(dataDir);
  try {
    await bootstrap({ store, newId, clock: Date }, dataDir);
    const pipelines = pipelinesIn(store, dataDir);
    for (let from = 0; from < filling.builds; from += batch)
      store.transaction(() => {
        const to = Math.min(from + batch, filling.builds);
        for (let n = from; n < to; n++)
          addBuild(store, pipelines[n % pipelines.length] as Pipeline, n, filling);
      });
  } finally {
    store.close();
    unlock();
  }
}

/** Adds build number `n` of all added builds. */
export function addBuild(store: Store, pipeline: Pipeline, n: number, filling: Filling): Tree {
  const { builds, jobs = 6, blocked = Math.min(20, builds / 10), until = Date.now() } = filling;
  const at = until - (builds - n) * 5 * minute;
  const number = store.pipelines.nextNumber(pipeline.id);
  const plan = planOf(jobs, n >= builds - blocked);
  const creatorId = n % 4 === 0 ? null : (store.accounts.users()[0]?.id ?? null);
  const made = createBuild(buildOf(pipeline, number, creatorId), plan, at, newId);
  const ended = endOf(made, n);
  store.builds.add(ended);
  return ended;
}

function planOf(jobs: number, isBlocked: boolean): Plan {
  const commands = Array.from({ length: jobs }, (_, index) => ({
    ...{ ...plainCommand, line: index + 2, definition: index, key: `step-${index}` },
    ...{
      label: `Step ${index}`,
      command: `make step-${index}`,
      agentQueryRules: ['queue=default'],
    },
  }));
  if (!isBlocked) return { env: {}, notices: [], steps: commands };
  const base = { ...plainCommand, key: 'release', label: 'Release', line: jobs + 2 };
  const block = { prompt: null, fields: [], blockedState: 'passed', type: 'block' } as const;
  return { env: {}, notices: [], steps: [...commands, { ...base, definition: jobs, ...block }] };
}

/** Seven of ten builds are on `main`; each has one unique and one shared meta-data value. */
const buildOf = (pipeline: Pipeline, number: number, creatorId: string | null): NewBuild => ({
  ...{ id: newId(), organizationId: pipeline.organizationId, pipelineId: pipeline.id, number },
  message: `Change number ${number} of ${pipeline.slug}`,
  commit: number.toString(16).padStart(40, '0'),
  branch: number % 10 < 7 ? 'main' : `feature/${number % 100}`,
  metaData: { ticket: `T-${number}`, stage: number % 2 === 0 ? 'test' : 'production' },
  env: { CI: 'true', NUMBER: String(number) },
  ...{ source: 'api', creatorId, author: { name: 'Ada', email: 'ada@example.com' } },
  ...{ pullRequest: null, rebuiltFrom: null, cleanCheckout: false, ignoreBranchFilters: false },
  ...{ workspace: 'inplace', hostEnv: {}, options: usualRunOptions, triggeredFrom: null },
  ownPlan: false,
});

/** Two of twenty builds fail, in their last job. */
function endOf(made: Tree, n: number): Tree {
  const scripts = made.jobs.filter(({ type }) => type === 'script');
  return scripts.reduce((tree, { id }, index) => {
    const at = made.build.createdAt + (index + 1) * 1000;
    const exitStatus = n % 10 === 3 && index === scripts.length - 1 ? 1 : 0;
    const outcome = { exitStatus, signal: null, signalReason: null, timedOut: false };
    const agent = agents[index % agents.length] as (typeof agents)[number];
    return finishJob(startJob(tree, id, agent, at), id, outcome, at + 900, newId);
  }, made);
}
