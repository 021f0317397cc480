import { expect, test } from 'vitest';
import { until, useScheduler } from '../../../../test/support/scheduler.ts';
import { openStore } from '../../store/store.ts';
import { isEarlier, type WaitingJob } from '../../store/tables/jobs.ts';
import type { NewAgent } from './agents.ts';

const agent: NewAgent = {
  ...{ name: 'a', organizationId: '', registeredWith: 't', hostname: 'h', os: 'o', arch: 'x' },
  ...{ version: '4.0.0', userAgent: 'u', ip: '127.0.0.1', pid: 1, machineId: 'm', priority: 0 },
  ...{ tags: ['queue=default'], features: [], isOnThisMachine: false, ignoreInDispatches: false },
};

/** A scheduler without slots; `reads` records the agent demands for which jobs were searched. */
async function useAgents(steps: string) {
  const reads: string[] = [];
  const scheduler = useScheduler({ slots: 0 }, (folder) => {
    const store = openStore(folder);
    const next: typeof store.waitingJobs.next = (demand, limit) => {
      reads.push(demand);
      return store.waitingJobs.next(demand, limit);
    };
    return { ...store, waitingJobs: { ...store.waitingJobs, next } };
  });
  const { engine, organization } = scheduler;
  await engine.start();
  scheduler.steps(steps);
  const add = (members: Partial<NewAgent> = {}) => {
    const given = { ...agent, organizationId: organization.id, ...members };
    return engine.agents.register(given).agent.id;
  };
  /** Pings for work; returns the result. */
  const asks = (id: string) => {
    const asked: { jobId?: string } = {};
    void engine.agents.ping(id)?.then(({ job }) => {
      if (job !== undefined) asked.jobId = job.id;
    });
    return asked;
  };
  return { ...scheduler, add, asks, reads };
}

const turns = async (): Promise<void> => {
  let turn = 0;
  await until(() => ++turn > 10);
};

test('a polling agent does not scan jobs of other queues', async () => {
  const { build, add, asks, reads } = await useAgents('{command: x, agents: {queue: gpu}}');
  await build();
  for (let n = 0; n < 50; n++) {
    asks(add());
    await turns();
  }
  expect(reads).toEqual([]);
  const gpu = asks(add({ tags: ['queue=gpu'] }));
  await turns();
  expect(gpu.jobId).toBeDefined();
  expect(reads).toHaveLength(1);
});

test('a new job is matched once, however many agents wait', async () => {
  const { build, add, asks, reads } = await useAgents('{command: x}');
  const asked = Array.from({ length: 50 }, () => asks(add()));
  await turns();
  await build();
  await until(() => asked.some(({ jobId }) => jobId !== undefined));
  await turns();
  expect(asked.filter(({ jobId }) => jobId !== undefined)).toHaveLength(1);
  expect(reads).toHaveLength(1);
});

test('a job offered to a leaving agent goes to one that is waiting', async () => {
  const { build, add, asks, engine, store } = await useAgents('{command: x}');
  const [first, second] = [add(), add()];
  const one = asks(first);
  const { id } = await build();
  await until(() => one.jobId !== undefined);
  const other = asks(second);
  await turns();
  expect(other.jobId).toBeUndefined();
  engine.agents.disconnect(first);
  await until(() => other.jobId !== undefined);
  expect(other.jobId).toBe(store.builds.tree(id)?.jobs[0]?.id);
});

test('the waiting agent with the highest priority gets the job', async () => {
  const { build, add, asks } = await useAgents('{command: x}');
  const [low, high] = [asks(add({ priority: 1 })), asks(add({ priority: 2 }))];
  await turns();
  await build();
  await until(() => high.jobId !== undefined || low.jobId !== undefined);
  expect(low.jobId).toBeUndefined();
});

test.each([
  [[1, 9], [2, 0], true],
  [[2, 0], [1, 9], false],
  [[1, 1], [1, 2], true],
  [[1, 1], [1, 1], false],
])('whether a job at %j comes before one at %j: %j', (place, other, expected) => {
  const at = (place: readonly number[]) => ({ place }) as WaitingJob;
  expect(isEarlier(at(place), at(other))).toBe(expected);
});
