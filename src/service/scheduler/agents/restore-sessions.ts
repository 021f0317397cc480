import { isWithAgent } from '../../domain/end-job.ts';
import type { EngineState } from '../engine-state.ts';
import { deadlineOf } from './deadline.ts';
import { newSession } from './session.ts';

/** The agents that were there when the service ended: the time without it is no silence of theirs. */
export function restoreSessions({ parts, sessions }: EngineState): void {
  const { store, clock } = parts;
  for (const agent of store.agents.present())
    sessions.set(agent.id, newSession(agent, clock.now()));
  for (const { job, buildId } of store.builds.jobsIn(
    ...(['accepted', 'running', 'timing_out', 'canceling'] as const),
  )) {
    const session = sessions.get(job.agent?.id ?? '');
    const tree = store.builds.tree(buildId);
    if (session === undefined || tree === undefined || !isWithAgent(job)) continue;
    const { organizationId } = tree.build;
    session.job = { id: job.id, buildId, organizationId, ...deadlineOf(tree, job) };
  }
}
