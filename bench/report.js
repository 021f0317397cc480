/**
 * `builds report`: compared to `builds failures`, which reads the same logs, and its peak memory.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, measure } from './pair.js';

const here = import.meta.dirname;
const tool = (verb) => [join(here, '../bin/cictl.js'), 'builds', verb, 'acme/web/7', '--no-cache'];
const report = tool('report');
const [jobs, small, large, mostMegabytes] = [200, 100_000, 2_000_000, 250];

/** @param {string} folder an empty directory for the tool's own files */
export async function reportRows(folder) {
  const servers = [await serve(small), await serve(large)];
  const [quick, loud] = servers.map(({ url }) => ({
    ...{ HOME: folder, CICTL_BASE_URL: url, CICTL_TOKEN: 'token' },
  }));
  return {
    unit: 'ms or MB',
    rows: [
      {
        name: `a report of ${jobs} jobs`,
        against: 'builds failures --json of it',
        goal: 'at most 2',
        run: () =>
          measure({
            ours: [process.execPath, ...report],
            theirs: [process.execPath, ...tool('failures'), '--json', '--max-jobs', String(jobs)],
            ...{ env: quick, stdout: 'pipe', rounds: 11 },
          }),
      },
      {
        name: `a report of ${jobs} logs of ${large / 1e6} MB: memory`,
        against: `${mostMegabytes} MB`,
        goal: 'at most 1',
        run: () => {
          const ours = peakOf(folder, loud, ['--logs', 'all']);
          return { ours, theirs: mostMegabytes, ratio: ours / mostMegabytes };
        },
      },
    ],
    close: async () => {
      for (const { process } of servers) {
        process.kill();
        await once(process, 'exit');
      }
    },
  };
}

async function serve(size) {
  const words = [join(here, 'report-server.js'), String(jobs), String(size)];
  const process = spawn(globalThis.process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnv(),
  });
  const [port] = await once(process.stdout, 'data');
  return { process, url: `http://127.0.0.1:${String(port).trim()}` };
}

/** Megabytes. */
function peakOf(folder, env, args) {
  const file = join(folder, 'peak-of-report');
  const flags = ['--require', join(here, 'peak.cjs')];
  const { status, stderr } = spawnSync(process.execPath, [...flags, ...report, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: cleanEnv({ ...env, CICTL_BENCH_PEAK: file }),
  });
  if (status !== 0) throw new Error(`builds report: ${stderr}`);
  return Number(readFileSync(file, 'utf8')) / 1000;
}
