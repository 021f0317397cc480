/**
 * The service with 100,000 builds: CPU time of each call compared to 1,000 builds, and calls per
 * second on two cores. Filling takes two minutes; `CICTL_BENCH_STORES=FOLDER` keeps the data for
 * the next run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { fill } from './fill.js';
import { startFilled } from './filled-service.js';
import { requester } from './requester.js';
import { pairCalls, sizeCalls } from './size-calls.js';

const large = 100_000;
const small = 1000;
/** When the last build was created, in milliseconds since the epoch. */
const until = Date.UTC(2026, 0, 1);

/** @param {string} folder for the data of the services, 1.3 GB */
export function sizeRows(folder) {
  const services = onceOnly(() => startBoth(env.CICTL_BENCH_STORES ?? folder));
  return {
    unit: 'ms of CPU',
    rows: [
      ...sizeCalls.map(({ name, call }) => ({
        name: `${name}, 100000 builds`,
        run: async () => compare(await services.get(), call),
      })),
      {
        name: 'the worst pair of filters, 100000 builds',
        run: async () => worstOf(await services.get(), pairCalls),
      },
    ].map((row) => ({ ...row, against: `${small} builds`, goal: 'at most 1.5' })),
    close: () => services.close(),
  };
}

/** Measured on an otherwise idle machine. */
const rates = [
  { name: 'per_page=1', wanted: 1000 },
  { name: 'per_page=30', wanted: 150 },
  { name: 'create', wanted: 200 },
];

/** @param {string} folder the same */
export function rateRows(folder) {
  const service = onceOnly(async () => [
    await start(await filled(env.CICTL_BENCH_STORES ?? folder, large), twoCores()),
  ]);
  return {
    unit: 'a second',
    rows: rates.map(({ name, wanted }) => ({
      name: `${name} a second, 100000 builds`,
      against: 'what is wanted, on two cores',
      goal: 'at least 1',
      run: async () => {
        const [{ access, service: filled }] = await service.get();
        const from = await filled.cpu();
        const { call } = sizeCalls.find((one) => one.name === name);
        const { calls, rate: ours } = load(access, call(facts(large)));
        const each = ((await filled.cpu()) - from) / calls;
        return {
          ours,
          theirs: wanted,
          ratio: ours / wanted,
          note: `, ${each.toFixed(2)} ms of CPU each`,
        };
      },
    })),
    close: () => service.close(),
  };
}

const twoCores = () =>
  spawnSync('taskset', ['-c', '0,1', 'true']).status === 0 ? ['taskset', '-c', '0,1'] : [];

/** The client runs in its own process, on the same two cores. */
function load(access, call) {
  const [command, ...args] = [
    ...twoCores(),
    process.execPath,
    join(import.meta.dirname, 'load.js'),
  ];
  const input = JSON.stringify({ access, call, seconds: 5 });
  const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A B A B after a warm-up. */
async function compare(services, call) {
  const times = services.map(() => []);
  for (let round = -1; round < 5; round++) {
    for (const [index, { service, send, builds, creator }] of services.entries()) {
      const from = await service.cpu();
      for (let n = 0; n < repeats; n++) await send(call({ ...facts(builds), creator }));
      if (round >= 0) times[index].push(((await service.cpu()) - from) / repeats);
    }
  }
  const [theirs, ours] = times.map((all) => all.toSorted((a, b) => a - b)[all.length >> 1]);
  return { ours, theirs, ratio: ours / theirs };
}

async function worstOf(services, calls) {
  const all = [];
  for (const { name, call } of calls)
    all.push({ ...(await compare(services, call)), note: `, ${name}` });
  return all.toSorted((a, b) => b.ratio - a.ratio)[0];
}

const repeats = 20;

/** What calls may depend on: the build in the middle, and its creation time. */
const facts = (builds) => ({
  isLarge: builds === large,
  until,
  middle: until - (builds / 2) * 300_000,
});

async function startBoth(folder) {
  const started = [];
  for (const builds of [small, large]) {
    const service = await start(await filled(folder, builds));
    started.push({ ...service, builds });
  }
  return started;
}

async function start(dataDir, prefix) {
  const service = await startFilled(dataDir, prefix);
  const { url, token, agentToken } = service;
  const access = { url, token, agentToken };
  return { service, access, creator: await ownerOf(access), send: requester(access) };
}

/** The ID of the only user, who created three of four builds. */
async function ownerOf({ url, token }) {
  const response = await fetch(`${url}/v2/user`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()).id;
}

/** The data directory with that many builds, filled if it is missing. */
export async function filled(folder, builds) {
  const dataDir = join(folder, `store-${builds}`);
  if (!existsSync(join(dataDir, 'credentials.json'))) await fill(dataDir, builds, { until });
  return dataDir;
}

/** Starts the services when the first row needs them. */
function onceOnly(startAll) {
  let started;
  return {
    get: () => (started ??= startAll()),
    close: async () => {
      for (const { service } of (await started) ?? []) await service.close();
    },
  };
}
