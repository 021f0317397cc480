/**
 * How long one request delays others with 100,000 builds, compared to the limit of 250 ms: during
 * each of the slowest requests, another one asks for its user every five milliseconds.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { startFilled } from './filled-service.js';
import { requester } from './requester.js';
import { loadSource } from './bundle-bench.js';
import { filled } from './service-size.js';
import { worstCalls } from './worst-calls.js';
import { startWatcher } from './watcher.js';

const bound = 250;

/** @param {string} folder for the data of the service, 1.5 GB */
export function waitRows(folder) {
  let started;
  const parts = () => (started ??= start(folder));
  return {
    unit: 'ms',
    rows: worstCalls.map(({ name, calls }) => ({
      name: `waiting for ${name}`,
      against: 'the bound',
      goal: 'at most 1',
      run: async () => longestWait(await parts(), calls),
    })),
    close: async () => {
      const { watcher, service } = (await started) ?? {};
      watcher?.close();
      await service?.close();
    },
  };
}

/** The filled data stays unchanged: pipelines are removed in a copy. */
async function start(folder) {
  const dataDir = join(folder, 'waits');
  await cp(await filled(env.CICTL_BENCH_STORES ?? folder, 100_000), dataDir, {
    recursive: true,
    dereference: true,
  });
  const { addWorst } = await loadSource('worst-data');
  const known = addWorst(dataDir);
  const service = await startFilled(dataDir);
  return { service, known, send: requester(service), watcher: await startWatcher(service) };
}

async function longestWait({ known, send, watcher }, calls) {
  await watcher.longest();
  for (const call of calls(known)) await send(call);
  const { clock, work } = await watcher.longest();
  const ours = Number.isNaN(work) ? clock : work;
  return {
    ours,
    theirs: bound,
    ratio: ours / bound,
    note: `, ${clock.toFixed(0)} ms by the clock`,
  };
}
