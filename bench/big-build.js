/** Builds with many jobs: the cost of a job in the built-in service compared to a small build. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService } from '../dist/service.js';
import { callService } from './call-service.js';

const passed = { exitStatus: 0, signal: null, signalReason: null, timedOut: false };
const runner = { start: () => ({ done: Promise.resolve(passed), cancel() {}, kill() {} }) };

const phases = ['made', 'run', 'read'];

/** @param {string} folder for the data of the service */
export function bigBuildRows(folder) {
  // All three rows use the same builds.
  let compared;
  return {
    unit: 'µs/job',
    rows: phases.map((phase) => ({
      name: `10000 jobs ${phase}`,
      against: '100 jobs',
      goal: 'at most 1.5',
      run: async () => ratioOf(await (compared ??= compare(folder)), phase),
    })),
    close: () => undefined,
  };
}

/** Small builds before and after the large one, in case the speed of the machine has changed. */
async function compare(folder) {
  await costOf(folder, 100, 5);
  const before = await costOf(folder, 100, 10);
  const ours = await costOf(folder, 10_000, 1);
  return { ours, theirs: [before, await costOf(folder, 100, 10)] };
}

function ratioOf({ ours: large, theirs: [before, after] }, phase) {
  const [ours, theirs] = [large[phase], (before[phase] + after[phase]) / 2];
  return { ours, theirs, ratio: ours / theirs };
}

/** Microseconds per job: to create the build, to run it, and to read it once. */
async function costOf(folder, jobs, builds) {
  const dataDir = await mkdtemp(join(folder, 'big-build-'));
  const checkout = join(dataDir, 'checkout');
  await mkdir(checkout);
  const steps = Array.from({ length: jobs }, (_, index) => ({
    command: `echo ${index}`,
    key: `k${index}`,
  }));
  await writeFile(join(checkout, 'pipeline.json'), JSON.stringify({ steps }));
  const service = await startService({ dataDir, runner });
  const call = callService(service);
  const spent = { made: 0, run: 0, read: 0 };
  try {
    for (let build = 0; build < builds; build++) await runOne(call, checkout, spent);
  } finally {
    await service.close();
    await rm(dataDir, { recursive: true });
  }
  return Object.fromEntries(
    phases.map((phase) => [phase, (spent[phase] * 1000) / (jobs * builds)]),
  );
}

async function runOne(call, folder, spent) {
  const began = performance.now();
  const wanted = { commit: 'HEAD', branch: 'main' };
  const { number, pipeline } = await call('POST', '/local/v1/runs', { folder, build: wanted });
  const made = performance.now();
  const path = `/v2/organizations/local/pipelines/${pipeline.slug}/builds/${number}`;
  for (;;) {
    const { state } = await call('GET', `${path}?exclude_jobs=true&exclude_pipeline=true`);
    if (state === 'passed') break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const ran = performance.now();
  await call('GET', path);
  spent.made += made - began;
  spent.run += ran - made;
  spent.read += performance.now() - ran;
}
