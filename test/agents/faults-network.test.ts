/**
 * A network that loses, delays and repeats requests of agents, clocks that differ, and a service
 * that is killed.
 */
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../bench/agents/agent.js';
import { checkJobs, commandOf } from '../../bench/agents/check-jobs.js';
import { killWhileWorking } from '../../bench/agents/kill-while-working.js';
import { startProxy, type Fate } from '../../bench/agents/proxy.js';
import { useHome } from '../support/home.ts';
import { useBuild, type Build } from './faults-agent.ts';

/** The real duration of one second of an agent's intervals, in seconds. */
const pace = 0.05;

async function useAgents(options: { url: string; token: string; count: number; skew?: number }) {
  const { url, token, count, skew } = options;
  const runs: string[] = [];
  const report = (event: string, { id }: { readonly id?: unknown }): void => {
    if (event === 'started') runs.push(String(id));
  };
  const given = { endpoint: `${url}/v3`, token, pace, report, ...(skew && { skew }) };
  const agents = await Promise.all(
    Array.from({ length: count }, (_, n) => startAgent({ ...given, name: `a${n}` })),
  );
  onTestFinished(async () => {
    await Promise.all(agents.map((agent) => agent.kill()));
  });
  return runs;
}

async function untilFinished(build: Build) {
  for (;;) {
    const now = await build.read();
    if (now.finished_at !== null) return now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const commands = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => commandOf(n, null));

test('with lost, repeated and late requests, each job runs once and its log is complete', async () => {
  const { service, build } = await useBuild(commands(20));
  const fates: readonly Fate[] = [
    'lost',
    undefined,
    'repeated',
    20,
    'unheard',
    undefined,
    undefined,
  ];
  let n = 0;
  const proxy = await startProxy(service.url, () => fates[n++ % fates.length]);
  onTestFinished(() => {
    proxy.close();
  });
  const runs = await useAgents({ url: proxy.url, token: service.agentToken, count: 5 });
  await untilFinished(build);
  expect(await checkJobs(build, 20, runs)).toEqual([]);
  expect(Object.keys(proxy.counts).sort()).toEqual(['late', 'lost', 'repeated', 'unheard']);
});

test('a temporary network outage costs no job anything', async () => {
  const { service, build } = await useBuild(commands(10));
  const proxy = await startProxy(service.url);
  onTestFinished(() => {
    proxy.close();
  });
  const runs = await useAgents({ url: proxy.url, token: service.agentToken, count: 5 });
  await expect.poll(() => runs.length).toBeGreaterThan(3);
  proxy.cut();
  await expect.poll(() => proxy.counts.lost ?? 0).toBeGreaterThan(20);
  proxy.join();
  await untilFinished(build);
  expect(await checkJobs(build, 10, runs)).toEqual([]);
});

test.each([3_600_000, -3_600_000])('an agent whose clock differs by %i ms', async (skew) => {
  const { service, build } = await useBuild(commands(2));
  await useAgents({ url: service.url, token: service.agentToken, count: 1, skew });
  const { jobs } = await untilFinished(build);
  for (const job of jobs) {
    const times = [job.runnable_at, job.started_at, job.finished_at].map((at) =>
      Date.parse(at ?? ''),
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  }
});

test('the service is killed ten times while ten agents run 40 jobs', async () => {
  const { root: folder } = await useHome();
  const result = await killWhileWorking({ folder, kills: 10, jobs: 40, agents: 10, pace });
  expect(result.wrong).toEqual([]);
  expect(result.kills).toBeGreaterThan(3);
});
