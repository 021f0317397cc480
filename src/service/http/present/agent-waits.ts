import { demandOf, readDemand } from '../../domain/demand.ts';
import type { Job, Tree } from '../../domain/records.ts';
import type { ServiceContext } from '../../service-context.ts';
import { onceForEach } from '../once.ts';

/** The tags that a scheduled job waits for, since no agent that is there has them; else none. */
export type AgentWaits = (tree: Tree, job: Job) => readonly string[];

/** What scheduled jobs of all organizations wait for in vain, with how many they are. */
export function unmetDemands({ engine, store }: Pick<ServiceContext, 'engine' | 'store'>) {
  const jobs = new Map<string, { readonly tags: readonly string[]; jobs: number }>();
  for (const demand of store.waitingJobs.demands()) {
    if (engine.agents.serves(demand)) continue;
    const tags = readDemand(demand).rules;
    const counted = jobs.get(tags.join()) ?? { tags, jobs: 0 };
    counted.jobs += store.waitingJobs.count(demand);
    jobs.set(tags.join(), counted);
  }
  return [...jobs.values()];
}

/** For the jobs of one list: what many of them demand is looked for once. */
export function agentWaits({ engine }: Pick<ServiceContext, 'engine'>): AgentWaits {
  const unmet = onceForEach<readonly string[]>();
  return ({ build, plan }, job) => {
    if (job.state !== 'scheduled' || job.type !== 'script') return [];
    const demand = demandOf(build, job, plan.steps[job.step]);
    return unmet(demand, () => (engine.agents.serves(demand) ? [] : readDemand(demand).rules));
  };
}
