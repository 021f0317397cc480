/** Agents other than the slots, connected to the scheduler directly, without HTTP. */
import type { NewAgent } from '../../src/service/scheduler/agents/agents.ts';
import type { PingResponse } from '../../src/service/scheduler/engine-state.ts';
import type { Scheduler } from './scheduler.ts';

const plain: Omit<NewAgent, 'organizationId'> = {
  ...{ name: 'a', registeredWith: 't', hostname: 'h', os: '', arch: '', version: '4.0.0' },
  ...{ userAgent: '', ip: '127.0.0.1', pid: 1, machineId: '', tags: ['queue=default'] },
  ...{ priority: 0, features: [], isOnThisMachine: false, ignoreInDispatches: false },
};

/** A connected agent and the requests that it can make. */
export function useAgent({ engine, organization }: Scheduler, members: Partial<NewAgent> = {}) {
  const { agents } = engine;
  const { agent, secret } = agents.register({
    ...{ ...plain, organizationId: organization.id },
    ...members,
  });
  const { id } = agent;
  agents.connect(id);
  const ping = async (): Promise<PingResponse> => (await agents.ping(id)) ?? { message: 'gone' };
  /** The ID of the job that is assigned to the agent. */
  const next = async (): Promise<string> => (await ping()).job?.id ?? 'none';
  return {
    id,
    secret,
    ping,
    next,
    accept: (jobId: string) => agents.accept(id, jobId, secret),
    acquire: (jobId: string) => agents.acquire(id, jobId, secret),
    start: (of: { buildId: string; jobId: string }) => agents.begin({ ...of, agentId: id }),
    /** Accepts the next job and starts it. */
    begin: async () => {
      const { tree, job } = agents.accept(id, await next(), secret);
      agents.begin({ buildId: tree.build.id, jobId: job.id, agentId: id });
      return { buildId: tree.build.id, jobId: job.id };
    },
    end: (of: { buildId: string; jobId: string }, exitStatus = 0, isLast = false) =>
      agents.end(
        { ...of, agentId: id },
        { exitStatus, signal: null, signalReason: null, timedOut: false },
        isLast,
      ),
    seen: () => agents.find(id),
  };
}
