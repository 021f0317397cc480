/**
 * A service and a fleet of agents: jobs per second, waiting times, the cost of logs, and the effect
 * on other requests. The service has two cores, the simulated agents the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatcher } from '../watcher.js';
import { startBenchService } from './bench-service.js';
import { startFleet } from './fleet.js';
import { realAgentRows } from './real-rows.js';
import { assertOnce, percentile, untilFinished } from './until-finished.js';

const jobs = 10_000;
const bound = 250;

/** @param {string} folder for the data of the services */
export function agentRows(folder) {
  const rows = [
    { name: `${jobs} jobs on 300 agents, a second`, goal: 'at least 1', run: flood },
    { name: 'scheduled to accepted at 200 jobs a second, 99 %', goal: 'at most 1', run: flow },
    { name: 'other requests meanwhile, the longest', goal: 'at most 1', run: meanwhile },
    { name: 'logs of 50 agents at 1 MB a second each', goal: 'at least 0.98', run: print },
    { name: 'memory after 30 s of such logs, beside 10 s', goal: 'at most 1.2', run: memory },
    { name: '10000 idle agents: a job on one of them', goal: 'at most 1', run: idle },
    {
      name: 'CPU of a job at 1000 agents',
      ...{ against: '100 agents', goal: 'at most 1.5', run: crowd },
    },
    { name: '1000 jobs at once on 1000 agents, the longest wait', goal: 'at most 1', run: rush },
    ...realAgentRows,
  ];
  const shared = {};
  return {
    unit: '',
    rows: rows.map(({ run, against = 'what is wanted', ...row }) => ({
      ...{ ...row, against, sign: '×' },
      run: () => run(folder, shared),
    })),
    close: () => undefined,
  };
}

/** All jobs exist before agents take them. */
async function flood(folder) {
  return withFleet(folder, { count: 300 }, async ({ service, fleet }) => {
    const create = await service.pipeline(500, 'true');
    const from = performance.now();
    for (let n = 0; n < jobs / 500; n++) await service.send(create);
    const all = await untilFinished(fleet, jobs);
    const rate = (jobs * 1000) / (performance.now() - from);
    assertOnce(all, jobs);
    return resultOf(rate, 200, `, each once; ${await costOf(service)}`);
  });
}

/**
 * Four builds of 50 jobs per second, after the service and agents have warmed up for some seconds.
 */
async function flow(folder, shared) {
  return withFleet(folder, { count: 300 }, async ({ service, fleet, watcher }) => {
    const create = await service.pipeline(50, 'true');
    const send = async (count) => {
      const from = performance.now();
      for (let n = 0; n < count / 50; n++) {
        await sleep(from + n * 250 - performance.now());
        await service.send(create);
      }
      return untilFinished(fleet, count);
    };
    await send(2000);
    await watcher.longest();
    const all = await send(jobs);
    assertOnce(all, jobs);
    const waits = all.accepted.map(([, runnable, at]) => at - runnable);
    shared.longest = await watcher.longest();
    const median = `, half of them ${percentile(waits, 0.5)} ms; ${await costOf(service)}`;
    return resultOf(percentile(waits, 0.99), bound, median);
  });
}

/** Uses the measurements of the previous row, or takes new ones if run alone. */
async function meanwhile(folder, shared) {
  if (shared.longest === undefined) await flow(folder, shared);
  const { clock, work } = shared.longest;
  return resultOf(
    Number.isNaN(work) ? clock : work,
    bound,
    `, ${clock.toFixed(0)} ms by the clock`,
  );
}

/** Fifty jobs print for 30 seconds; measures the time until the last one has finished. */
async function print(folder, shared) {
  return withFleet(folder, { count: 50 }, async ({ service, fleet }) => {
    const seconds = 30;
    const create = await service.pipeline(50, `print 1000000 ${seconds}`);
    await service.send(create);
    const memories = [];
    const look = setInterval(async () => memories.push(await service.memory()), 1000);
    const all = await untilFinished(fleet, 50, 60);
    clearInterval(look);
    assertOnce(all, 50);
    shared.memories = memories;
    const took = (Math.max(...all.finished.map(([, , at]) => at)) - all.accepted[0][2]) / 1000;
    return resultOf((50 * seconds) / took, 50, ` MB a second; ${await costOf(service)}`);
  });
}

async function memory(folder, shared) {
  if (shared.memories === undefined) await print(folder, shared);
  const upTo = (second) => Math.max(...shared.memories.slice(0, second));
  return { ...resultOf(upTo(Infinity), upTo(10), ' MB') };
}

/** A job every tenth of a second, while all agents ping every five to seven seconds. */
async function idle(folder) {
  return withFleet(folder, { count: 10_000, processes: 2 }, async ({ service, fleet }) => {
    await sleep(10_000);
    const [cpu, from] = [await service.cpu(), performance.now()];
    await sleep(10_000);
    const share = ((await service.cpu()) - cpu) / (performance.now() - from);
    const create = await service.pipeline(1, 'true');
    for (let n = 0; n < 100; n++) {
      await service.send(create);
      await sleep(100);
    }
    const all = await untilFinished(fleet, 100);
    assertOnce(all, 100);
    const waits = all.accepted.map(([, runnable, at]) => at - runnable);
    const cost = `, ${(share * 100).toFixed(0)} % of a core, ${(await service.memory()).toFixed(0)} MB`;
    return resultOf(percentile(waits, 0.99), bound, cost);
  });
}

/** A build of 1,000 jobs for idle agents: all jobs become ready at the same time. */
async function crowd(folder, shared) {
  const [ours, theirs] = [await rushOn(folder, 1000), await rushOn(folder, 100)];
  shared.rush = ours;
  return { ours: ours.cpu, theirs: theirs.cpu, ratio: ours.cpu / theirs.cpu, note: ' ms' };
}

async function rush(folder, shared) {
  const { wait } = shared.rush ?? (await rushOn(folder, 1000));
  return resultOf(wait, 5000, ' ms');
}

function rushOn(folder, count) {
  return withFleet(folder, { count }, async ({ service, fleet }) => {
    const create = await service.pipeline(1000, 'true');
    const from = await service.cpu();
    await service.send(create);
    const all = await untilFinished(fleet, 1000);
    const cpu = ((await service.cpu()) - from) / 1000;
    assertOnce(all, 1000);
    return { cpu, wait: Math.max(...all.accepted.map(([, runnable, at]) => at - runnable)) };
  });
}

const resultOf = (ours, theirs, note) => ({ ours, theirs, ratio: ours / theirs, note });

async function costOf(service) {
  const seconds = ((await service.cpu()) / 1000).toFixed(1);
  return `${seconds} s of CPU, ${(await service.memory()).toFixed(0)} MB`;
}

async function withFleet(folder, { count, processes = 1 }, measure) {
  const service = await startBenchService(folder);
  const watcher = await startWatcher(service);
  const fleet = await startFleet(
    { endpoint: service.endpoint, token: service.agentToken, count: count / processes },
    processes,
  );
  try {
    return await measure({ service, fleet, watcher });
  } finally {
    fleet.close();
    watcher.close();
    await service.close();
  }
}
