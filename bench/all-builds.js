/**
 * `builds list --all` for 10,000 builds (77 MB of JSON): pages fetched ahead compared to pages
 * fetched one after another, each after 50 ms, and peak memory in every format. Also `builds
 * stats`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv } from './pair.js';

const here = import.meta.dirname;
const tool = join(here, '../bin/cictl.js');
const [count, delay, mostMegabytes] = [10_000, 50, 130];

const forms = [
  ['-o', 'tsv'],
  ['-o', 'table'],
  ['-o', 'json'],
  ['-o', 'jsonl'],
  ['-o', 'yaml'],
  ['--fields', 'number,state,jobs.id'],
  ['--jq', 'length'],
  ['--jq', '.[].number'],
  ['--jq', '.[]'],
  ['--jq', 'map(select(.state == "failed")) | length'],
  ['--jq', '.[] | select(.message | test("5"))'],
  ['--fields', 'created_at,number', '--jq', 'sort_by(.created_at) | .[0:5] | map(.number)'],
  ['-o', 'jsonl', '--jq', '.number'],
  ['-o', 'jsonl', '--jq', 'select(.message | test("5")) | .number'],
];

/** @param {string} folder an empty directory for the tool's own files */
export async function allBuildsRows(folder) {
  const [quick, slow] = [await serve('0'), await serve(String(delay))];
  const run = (server, args, more = {}) => start(folder, server, ['list', '--all', ...args], more);
  const runStats = (more = {}) => start(folder, quick, ['stats', '--all', '--json'], more);
  return {
    unit: 'ms or MB',
    rows: [
      {
        name: `--all, ${count} builds`,
        against: `one page of ${delay} ms after another`,
        goal: 'at most 0.25',
        run: () => {
          // Without a last page, nothing is fetched ahead.
          const rounds = [1, 2, 3].map(() => [
            timed(() => run(slow, ['-o', 'tsv'])),
            timed(() => run({ ...slow, url: `${slow.url}/without-last` }, ['-o', 'tsv'])),
          ]);
          return figures(median(rounds.map(([a]) => a)), median(rounds.map(([, b]) => b)));
        },
      },
      {
        name: `stats over ${count} builds`,
        against: 'the list of them as TSV',
        goal: 'at most 1.5',
        run: () => {
          const rounds = [1, 2, 3].map(() => [
            timed(() => runStats()),
            timed(() => run(quick, ['-o', 'tsv'])),
          ]);
          return figures(median(rounds.map(([a]) => a)), median(rounds.map(([, b]) => b)));
        },
      },
      {
        name: `stats over ${count} builds: memory`,
        against: `${mostMegabytes} MB`,
        goal: 'at most 1',
        run: () =>
          figures(
            peakOf(folder, (more) => runStats(more)),
            mostMegabytes,
          ),
      },
      ...forms.map((form) => ({
        name: `--all ${form.join(' ')}: memory`,
        against: `${mostMegabytes} MB`,
        goal: 'at most 1',
        run: () =>
          figures(
            peakOf(folder, (more) => run(quick, form, more)),
            mostMegabytes,
          ),
      })),
    ],
    close: async () => {
      for (const { process } of [quick, slow]) {
        process.kill();
        await once(process, 'exit');
      }
    },
  };
}

async function serve(milliseconds) {
  const process = spawn(
    globalThis.process.execPath,
    [join(here, 'all-server.js'), String(count), milliseconds],
    { stdio: ['ignore', 'pipe', 'inherit'], env: cleanEnv() },
  );
  const [port] = await once(process.stdout, 'data');
  return { process, url: `http://127.0.0.1:${String(port).trim()}` };
}

function start(folder, { url }, args, { flags = [], env = {} }) {
  const { status, stderr } = spawnSync(process.execPath, [...flags, tool, 'builds', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: cleanEnv({
      ...{ HOME: folder, CICTL_BASE_URL: url, CICTL_TOKEN: 'token' },
      ...{ CICTL_ORG: 'acme', CICTL_PIPELINE: 'web', ...env },
    }),
  });
  if (status !== 0) throw new Error(`builds ${args.join(' ')}: ${stderr}`);
}

/** Megabytes. */
function peakOf(folder, run) {
  const file = join(folder, 'peak');
  run({ flags: ['--require', join(here, 'peak.cjs')], env: { CICTL_BENCH_PEAK: file } });
  return Number(readFileSync(file, 'utf8')) / 1000;
}

function timed(run) {
  const from = performance.now();
  run();
  return performance.now() - from;
}

const figures = (ours, theirs) => ({ ours, theirs, ratio: ours / theirs });

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
