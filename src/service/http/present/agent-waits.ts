import { demandOf, readDemand } from '../../domain/demand.ts';
import type { Job, Tree } from '../../domain/records.ts';
import type { ServiceContext } from '../../service-context.ts';
import { onceForEach } from '../once.ts';

/** The tags that a scheduled job waits for, since no agent that is there has them; else none. */
export type AgentWaits = (tree: Tree, job: Job) => readonly string[];

/** For the jobs of one list: what many of them demand is looked for once. */
export function agentWaits({ engine }: Pick<ServiceContext, 'engine'>): AgentWaits {
  const unmet = onceForEach<readonly string[]>();
  return ({ build, plan }, job) => {
    if (job.state !== 'scheduled' || job.type !== 'script') return [];
    const demand = demandOf(build, job, plan.steps[job.step]);
    return unmet(demand, () => (engine.agents.serves(demand) ? [] : readDemand(demand).rules));
  };
}
