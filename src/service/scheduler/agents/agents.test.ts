import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useAgent } from '../../../../test/support/agents-of-scheduler.ts';
import { command, planOf, wait } from '../../../../test/support/plans.ts';
import { until, useScheduler } from '../../../../test/support/scheduler.ts';
import { tickingClock } from '../../../../test/service/ticking-clock.ts';
import { addOrganization } from '../../accounts.ts';
import { cancelBuild } from '../../domain/build-lifecycle.ts';
import type { Build } from '../../domain/records.ts';
import { usualRunOptions } from '../../run-options.ts';
import { hashOf } from '../../secrets.ts';
import { usualAgentTimes } from '../engine-state.ts';
import { createEngine } from '../engine.ts';
import { stateForAgent } from './jobs.ts';

const gpu = { agentQueryRules: ['queue=gpu'] };
const minute = 60_000;

/** A scheduler without slots, whose timers the test controls. */
async function scene(slots = 0, agents = usualAgentTimes) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = tickingClock('2026-11-20T10:00:00Z');
  const scheduler = useScheduler({ slots, clock, agents });
  await scheduler.engine.start();
  const jobs = ({ id }: Build) => scheduler.store.builds.tree(id)?.jobs ?? [];
  /** Advances the time and lets the service react. */
  const pass = async (ms: number): Promise<void> => {
    clock.set(new Date(clock.now() + ms).toISOString());
    vi.advanceTimersByTime(1000);
    await setImmediate();
  };
  /** Like `pass`, in small steps, as if the service were running all the time. */
  const watch = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10_000) await pass(10_000);
  };
  return { ...scheduler, clock, jobs, pass, watch };
}

test('an agent gets a job, accepts it and finishes it', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const asked = agent.next();
  const build = await all.build({ plan: planOf(command('a')) });
  const jobId = await asked;
  expect(all.states(build)).toBe('scheduled: scheduled');
  const { token } = agent.accept(jobId);
  expect(all.states(build)).toBe('scheduled: accepted');
  expect(agent.accept(jobId).token).toBe(token);
  agent.start({ buildId: build.id, jobId });
  expect(all.states(build)).toBe('running: running');
  await agent.end({ buildId: build.id, jobId }, 3);
  expect(all.states(build)).toBe('failed: failed');
  expect(all.jobs(build)[0]).toMatchObject({ exitStatus: 3, agent: { id: agent.id, name: 'a' } });
  await agent.end({ buildId: build.id, jobId });
  expect(all.states(build)).toBe('failed: failed');
});

test('an offered job is offered again to the same agent only', async () => {
  const all = await scene();
  const [first, second] = [useAgent(all), useAgent(all)];
  await all.build({ plan: planOf(command('a')) });
  const jobId = await first.next();
  expect(await first.next()).toBe(jobId);
  const other = second.ping();
  await all.pass(0);
  expect(() => second.accept(jobId)).toThrow('not available to this agent');
  first.accept(jobId);
  vi.advanceTimersByTime(5000);
  expect(await other).toEqual({});
});

test('each job goes to one of many agents', async () => {
  const all = await scene();
  const agents = Array.from({ length: 30 }, () => useAgent(all));
  const pings = agents.map((agent) => agent.next());
  const plan = planOf(...Array.from({ length: 30 }, (_, index) => command(`c${index}`)));
  const build = await all.build({ plan });
  expect(new Set(await Promise.all(pings))).toEqual(new Set(all.jobs(build).map(({ id }) => id)));
});

test('agents with the highest priority come first', async () => {
  const all = await scene();
  const [low, high] = [useAgent(all), useAgent(all, { priority: 5 })];
  const pings = [low.next(), high.next()];
  const build = await all.build({ plan: planOf(command('a')) });
  await setImmediate();
  vi.advanceTimersByTime(5000);
  expect(await Promise.all(pings)).toEqual(['none', all.jobs(build)[0]?.id]);
});

test('jobs wait for an agent with matching tags', async () => {
  const all = await scene();
  const usual = useAgent(all);
  const build = await all.build({ plan: planOf(command('a', gpu), command('b')) });
  expect(await usual.next()).toBe(all.jobs(build)[1]?.id);
  const fit = useAgent(all, { tags: ['queue=gpu', 'os=linux'] });
  expect(await fit.next()).toBe(all.jobs(build)[0]?.id);
});

test('slots serve all queues if no agent is connected, otherwise only their own', async () => {
  const all = await scene(1);
  await all.build({ plan: planOf(command('a', gpu)) });
  await until(() => all.runner.works.length === 1);
  const agent = useAgent(all, { tags: ['queue=gpu'] });
  all.runner.finish('a');
  const build = await all.build({ plan: planOf(command('b', gpu), command('c')) });
  await until(() => all.runner.works.length === 2);
  expect(all.runner.works[1]?.command).toBe('c');
  expect(await agent.next()).toBe(all.jobs(build)[0]?.id);
});

test('a run uses either slots or agents', async () => {
  const all = await scene(1);
  const agent = useAgent(all, { tags: ['queue=gpu'] });
  const order = (runsOn: 'slots' | 'agents', name: string) => ({
    ...{ plan: planOf(command(name, gpu)), options: { ...usualRunOptions, runsOn } },
  });
  const remote = await all.build(order('agents', 'far'));
  await all.build(order('slots', 'near'));
  await until(() => all.runner.works.length === 1);
  expect(all.runner.works[0]?.command).toBe('near');
  expect(await agent.next()).toBe(all.jobs(remote)[0]?.id);
});

test('an agent of another organization can get nothing', async () => {
  const all = await scene();
  const { id: organizationId } = addOrganization(all.parts, 'other', 'Other');
  const agent = useAgent(all, { organizationId });
  const build = await all.build({ plan: planOf(command('a')) });
  const asked = agent.next();
  await setImmediate();
  vi.advanceTimersByTime(5000);
  expect(await asked).toBe('none');
  expect(() => agent.acquire(all.jobs(build)[0]?.id ?? '')).toThrow('not available to this agent');
});

test('a job acquired by id goes only to that agent', async () => {
  const all = await scene();
  const agent = useAgent(all, { ignoreInDispatches: true, tags: ['queue=other'] });
  const build = await all.build({ plan: planOf(command('a'), command('b')) });
  expect(await agent.ping()).toEqual({});
  const [first, second] = all.jobs(build).map(({ id }) => id);
  agent.acquire(first ?? '');
  expect(() => agent.acquire(second ?? '')).toThrow('not available to this agent');
  expect(all.states(build)).toBe('scheduled: accepted scheduled');
});

test('a waiting job can be acquired later, a finished one cannot', async () => {
  const all = await scene();
  const agent = useAgent(all, { ignoreInDispatches: true });
  const build = await all.build({ plan: planOf(command('a'), wait, command('b')) });
  const [first, , last] = all.jobs(build).map(({ id }) => id);
  expect(() => agent.acquire(last ?? '')).toThrow('cannot run yet');
  agent.acquire(first ?? '');
  agent.start({ buildId: build.id, jobId: first ?? '' });
  await agent.end({ buildId: build.id, jobId: first ?? '' });
  expect(() => agent.acquire(first ?? '')).toThrow('not available to this agent');
  expect(agent.acquire(last ?? '').job.id).toBe(last);
});

test('an agent silent for three heartbeats loses its job, and can reconnect', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const build = await all.build({ plan: planOf(command('a')) });
  const taken = await agent.begin();
  await all.watch(40_000);
  expect(all.states(build)).toBe('running: running');
  await all.watch(20_000);
  expect(all.states(build)).toBe('failed: failed');
  expect(all.jobs(build)[0]).toMatchObject({ exitStatus: -1, signalReason: 'agent_lost' });
  expect(agent.seen()?.agent.state).toBe('lost');
  const log = all.parts.logs.file(taken.jobId);
  await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('lost contact'));
  expect(stateForAgent(all.jobs(build)[0], '4.0.0')).toBe('canceled');
  await agent.end(taken);
  expect(all.states(build)).toBe('failed: failed');
  const again = await all.build({ plan: planOf(command('b')) });
  expect(await agent.next()).toBe(all.jobs(again)[0]?.id);
  expect(agent.seen()?.agent.state).toBe('connected');
});

test('a lost job is retried if its step says so', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const automatic = [{ exitStatus: [-1], signal: null, signalReason: 'agent_lost', limit: 1 }];
  const retry = { automatic, manual: { allowed: true, permitOnPassed: false, reason: null } };
  const build = await all.build({ plan: planOf(command('a', { retry })) });
  await agent.begin();
  await all.watch(60_000);
  expect(all.states(build)).toBe('running: failed scheduled');
});

test('an agent lost after accepting returns its job to the queue', async () => {
  const all = await scene();
  const [lost, other] = [useAgent(all), useAgent(all)];
  const build = await all.build({ plan: planOf(command('a')) });
  lost.accept(await lost.next());
  for (let passed = 0; passed < 60_000; passed += 10_000) {
    all.engine.agents.seen(other.id);
    await all.pass(10_000);
  }
  expect(all.states(build)).toBe('scheduled: scheduled');
  const jobId = await other.next();
  expect(jobId).toBe(all.jobs(build)[0]?.id);
  expect(() => lost.start({ buildId: build.id, jobId })).toThrow('no longer needed');
  other.accept(jobId);
  expect(() => lost.start({ buildId: build.id, jobId })).toThrow('no longer needed');
  expect(all.states(build)).toBe('scheduled: accepted');
});

test('heartbeats missed while the machine sleeps do not count', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const build = await all.build({ plan: planOf(command('a')) });
  await agent.begin();
  await all.pass(1000);
  await all.pass(60 * minute);
  await all.pass(1000);
  expect(all.states(build)).toBe('running: running');
});

test('an agent that keeps asking for work has dropped its job; a late ping has not', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const build = await all.build({ plan: planOf(command('a')) });
  const taken = await agent.begin();
  expect(await agent.ping()).toEqual({});
  all.engine.agents.seen(agent.id, taken.jobId);
  all.clock.set('2026-11-20T10:00:20Z');
  expect(await agent.ping()).toEqual({});
  expect(all.states(build)).toBe('running: running');
  all.clock.set('2026-11-20T10:00:31Z');
  void agent.ping();
  expect(all.states(build)).toBe('failed: failed');
});

test('a job canceled before it starts is finished when the agent starts it', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const build = await all.build({ plan: planOf(command('a')) });
  const jobId = await agent.next();
  agent.accept(jobId);
  all.engine.change(build.id, (tree) => cancelBuild(tree, null, 0));
  expect(() => agent.start({ buildId: build.id, jobId })).toThrow('no longer needed');
  expect(all.states(build)).toBe('canceled: canceled');
});

test('a job canceled while running is canceled when its agent finishes it', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const build = await all.build({ plan: planOf(command('a')) });
  const taken = await agent.begin();
  all.engine.change(build.id, (tree) => cancelBuild(tree, null, 0));
  expect(stateForAgent(all.jobs(build)[0], '3.90.0')).toBe('canceling');
  await agent.end(taken, 255);
  expect(all.states(build)).toBe('canceled: canceled');
});

test.each([
  ['3.90.0', 'canceling'],
  ['4.0.0-beta.15', 'timing_out'],
])('a job over its timeout is stopped: an agent %s gets %s', async (version, word) => {
  const all = await scene();
  const agent = useAgent(all, { version });
  const build = await all.build({ plan: planOf(command('a', { timeoutInMinutes: 1 })) });
  const taken = await agent.begin();
  for (let passed = 0; passed < 70_000; passed += 10_000) {
    all.engine.agents.seen(agent.id, taken.jobId);
    await all.pass(10_000);
  }
  expect(stateForAgent(all.jobs(build)[0], version)).toBe(word);
  await agent.end(taken, -1);
  expect(all.states(build)).toBe('failed: timed_out');
});

test('a job that no agent accepts expires and fails its build', async () => {
  const all = await scene();
  const build = await all.build({ plan: planOf(command('a')) });
  await all.pass(29 * 24 * 60 * minute);
  expect(all.states(build)).toBe('scheduled: scheduled');
  await all.pass(2 * 24 * 60 * minute);
  expect(all.states(build)).toBe('failed: expired');
});

test('a job with an expiry of seconds does not wait for a minute', async () => {
  const all = await scene(0, { ...usualAgentTimes, expireAfter: 2000 });
  await all.pass(1000);
  const build = await all.build({ plan: planOf(command('a')) });
  await all.pass(1000);
  expect(all.states(build)).toBe('scheduled: scheduled');
  await all.pass(2000);
  expect(all.states(build)).toBe('failed: expired');
});

test('a stopping agent finishes its job; with force, its job is canceled', async () => {
  const all = await scene();
  const [gentle, forced] = [useAgent(all), useAgent(all)];
  const build = await all.build({ plan: planOf(command('a'), command('b')) });
  const first = await gentle.begin();
  await forced.begin();
  all.engine.agents.stop(gentle.id, false);
  all.engine.agents.stop(forced.id, true);
  expect(all.states(build)).toBe('running: running canceling');
  await gentle.end(first);
  expect(await gentle.ping()).toEqual({ action: 'disconnect' });
  all.engine.agents.disconnect(gentle.id);
  expect(await gentle.ping()).toEqual({ message: 'gone' });
  expect(all.store.agents.byId(gentle.id)?.state).toBe('disconnected');
});

test('a paused agent gets no job until it is resumed or the pause ends', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const open = agent.ping();
  all.engine.agents.pause(agent.id, 'lunch', null, null);
  expect(await open).toEqual({ action: 'pause', message: 'lunch' });
  const build = await all.build({ plan: planOf(command('a'), command('b')) });
  expect(await agent.ping()).toEqual({ action: 'pause', message: 'lunch' });
  all.engine.agents.resume(agent.id);
  const jobId = await agent.next();
  expect(jobId).toBe(all.jobs(build)[0]?.id);
  await agent.end({ buildId: build.id, jobId: agent.accept(jobId).job.id });
  all.engine.agents.pause(agent.id, '', Date.parse('2026-11-20T11:00:00Z'), null);
  expect(await agent.ping()).toEqual({ action: 'pause' });
  all.clock.set('2026-11-20T11:00:01Z');
  expect(await agent.next()).toBe(all.jobs(build)[1]?.id);
});

test('a restarted service knows its agents and their jobs', async () => {
  const all = await scene();
  const agent = useAgent(all);
  const build = await all.build({ plan: planOf(command('a')) });
  const taken = await agent.begin();
  const later = createEngine(all.parts);
  onTestFinished(() => later.stop(true));
  await later.start();
  expect(all.states(build)).toBe('running: running');
  expect(later.agents.find(agent.id)).toMatchObject({ jobId: taken.jobId });
  const outcome = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };
  await later.agents.end({ ...taken, agentId: agent.id }, outcome, false);
  expect(all.states(build)).toBe('passed: passed');
});

test('jobs share their concurrency limit wherever they run', async () => {
  const all = await scene();
  const [first, second] = [useAgent(all), useAgent(all)];
  const concurrency = { group: 'g', limit: 1, method: 'ordered' } as const;
  const build = await all.build({
    plan: planOf(command('a', { concurrency }), command('b', { concurrency })),
  });
  const taken = await first.begin();
  const waiting = second.next();
  await setImmediate();
  expect(all.states(build)).toBe('running: running limited');
  await first.end(taken);
  expect(await waiting).toBe(all.jobs(build)[1]?.id);
});

test('a disconnected agent is kept for a day, and as long as a build refers to it', async () => {
  const all = await scene();
  const [idle, worked] = [useAgent(all), useAgent(all)];
  await all.build({ plan: planOf(command('a')) });
  await worked.end(await worked.begin());
  for (const { id } of [idle, worked]) all.engine.agents.disconnect(id);
  const known = () => [idle, worked].map(({ id }) => all.store.agents.byId(id) !== undefined);
  const hasToken = () => all.store.accounts.token(hashOf(idle.secret)) !== undefined;
  await all.pass(23 * 60 * minute);
  expect([...known(), hasToken()]).toEqual([true, true, true]);
  await all.pass(2 * 60 * minute);
  expect([...known(), hasToken()]).toEqual([false, true, false]);
});
