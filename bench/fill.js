/**
 * `node bench/fill.js N FOLDER [JOBS]`: fills a data directory with N builds of six (or JOBS) jobs
 * through the service's own code. To see them, run `cictl local up` with `CICTL_DATA_DIR`.
 */
import { mkdir } from 'node:fs/promises';
import { argv, stderr } from 'node:process';
import { pathToFileURL } from 'node:url';
import { loadSource } from './bundle-bench.js';

/**
 * @param {string} dataDir created if missing; existing content is kept
 * @param {number} builds how many to add, to two pipelines, `web` and `api`
 * @param {{ jobs?: number, blocked?: number, until?: number }} options see `Filling` in
 * `fill-store.ts`
 */
export async function fill(dataDir, builds, options = {}) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { fillStore } = await loadSource('fill-store');
  await fillStore(dataDir, { ...options, builds });
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const [builds, folder, jobs = '6'] = argv.slice(2);
  if (folder === undefined || !/^\d+$/.test(builds) || !/^[1-9]\d*$/.test(jobs)) {
    stderr.write('usage: node bench/fill.js N FOLDER [JOBS]\n');
    process.exit(2);
  }
  const from = performance.now();
  await fill(folder, Number(builds), { jobs: Number(jobs) }).catch((error) => {
    stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  stderr.write(`${builds} builds in ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
}
