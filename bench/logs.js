/**
 * Logs: throughput of the whole process compared to bare Node, sed, plain `ansi-to-html` and
 * itself.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, logPath, writeLog } from './log-files.js';
import { cleanEnv, measure, measureAnyCpu } from './pair.js';

const here = import.meta.dirname;
const tool = [process.execPath, join(here, '../bin/cictl.js')];
const node = (script, ...args) => [process.execPath, join(here, script), ...args];
const escapes = String.raw`s/\x1b_[^\x07]*\x07//g; s/\x1b\[[0-9;]*m//g`;
const megabyte = 1e6;
const oneLine = 100 * 1024 * 1024;

/** @param {string} folder for the logs, 500 MB */
export async function logRows(folder) {
  const server = spawn(process.execPath, [join(here, 'log-server.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnv(),
  });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  return {
    unit: 'MB/s',
    rows: [
      ...[...rawRows(url), ...formatRows(), ...longLineRows(), framesRow()].map((row) =>
        runnable(row, folder, url),
      ),
      ...cpuRows().map((row) => cpuRow(row, folder, url)),
    ],
    close: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** Both sizes, with and without a length, to all kinds of output. */
function rawRows(url) {
  const kinds = [100, 600].flatMap((size) =>
    [true, false].flatMap((isLong) => ['null', 'pipe', 'file'].map((to) => ({ size, isLong, to }))),
  );
  return kinds.map(({ size, isLong, to }) => {
    const job = { log: 'marked', size: size * megabyte, isLong };
    return {
      name: `raw ${size} MB ${isLong ? 'length' : 'chunked'} ${to}`,
      ours: logOf(job, 'raw'),
      theirs: node('bare-log.js', `${url}/jobs/${idOf('marked', job.size, isLong)}/log.txt`),
      against: 'ten lines of node:http',
      ...{ ...job, to },
    };
  });
}

function formatRows() {
  const marked = { log: 'marked', size: 256 * megabyte };
  const coloured = { log: 'coloured', size: 64 * megabyte };
  const sed = (folder) => ['sed', escapes, logPath(folder, 'marked')];
  const html = (folder) => node('plain-html.js', logPath(folder, 'coloured'), coloured.size);
  const stamped = (format) => ({
    name: `${format} --timestamps`,
    ours: logOf(marked, format, '--timestamps', 'utc'),
    theirs: logOf(marked, format),
    against: 'the same without times',
    ...marked,
  });
  return [
    { name: 'text', ours: logOf(marked, 'text'), theirs: sed, against: 'sed', ...marked },
    { name: 'ansi', ours: logOf(marked, 'ansi'), theirs: sed, against: 'sed', ...marked },
    ...['text', 'ansi'].map(stamped),
    {
      name: 'html',
      ours: logOf(coloured, 'html'),
      theirs: html,
      against: 'ansi-to-html, line by line',
      ...coloured,
    },
  ];
}

/** One line of 100 MiB compared to the same size in short lines, with peak memory. */
const longLineRows = () =>
  ['raw', 'text', 'ansi', 'html'].map((format) => ({
    name: `${format}, one line of 100 MiB`,
    ours: logOf({ log: 'line', size: oneLine }, format),
    theirs: logOf({ log: 'coloured', size: oneLine }, format),
    against: 'ordinary lines',
    ...{ log: 'line', size: oneLine, rounds: 3, hasPeak: true },
  }));

function framesRow() {
  const job = { log: 'frames', size: 47 * megabyte };
  const ordinary = { log: 'coloured', size: job.size };
  return {
    name: 'text, 25 rows drawn anew',
    ours: logOf(job, 'text'),
    theirs: logOf(ordinary, 'text'),
    against: 'ordinary lines',
    ...{ ...job, hasPeak: true },
  };
}

/** CPU time. Rows for a program that is not on the PATH are not measured. */
function cpuRows() {
  const [small, ended] = [
    { log: 'marked', size: 5 * megabyte },
    { log: 'ended', size: 50 * megabyte },
  ];
  const frames = { log: 'frames', size: 47 * megabyte };
  return [
    {
      name: 'text, 5 MB, CPU time',
      theirs: () => ['bk', 'job', 'log', idOf('marked', small.size), '-p', 'web', '-b', '1'],
      ...{ ours: logOf(small, 'text'), against: 'bk job log', goal: 'at most 1.0', rounds: 21 },
      ...small,
    },
    {
      name: 'html, 25 rows drawn anew, CPU time',
      theirs: (folder) => ['terminal-to-html', logPath(folder, 'frames')],
      ...{ ours: logOf(frames, 'html'), against: 'terminal-to-html', goal: 'at most 0.9' },
      ...frames,
    },
    {
      name: 'ansi, each line colored, CPU time',
      theirs: () => logOf(ended, 'text'),
      ...{ ours: logOf(ended, 'ansi'), against: 'the same as text', goal: 'at most 1.5' },
      ...ended,
    },
  ];
}

function cpuRow(row, folder, url) {
  const { ours, theirs, against, goal, rounds = 5 } = row;
  return {
    ...{ name: `job log ${row.name}`, against, goal, unit: 'ms' },
    run: async () => {
      const words = theirs(folder);
      if (spawnSync('which', words.slice(0, 1)).status !== 0) {
        throw new Error(`${words[0]} is not on the PATH`);
      }
      for (const name of ['marked', row.log]) await writeLog(folder, name);
      const env = {
        ...{ HOME: folder, CICTL_BASE_URL: url, CICTL_TOKEN: 'token', CICTL_ORG: 'acme' },
        ...{ BUILDKITE_REST_API_ENDPOINT: url, BUILDKITE_API_TOKEN: 'token' },
        ...{ BUILDKITE_ORGANIZATION_SLUG: 'acme', BUILDKITE_NO_PAGER: '1' },
      };
      return measureAnyCpu({ ours, theirs: words, env, rounds, warmUps: 1 });
    },
  };
}

const logOf = ({ log, size, isLong }, format, ...more) => [
  ...[...tool, 'job', 'log', `web/1#${idOf(log, size, isLong)}`, '--format', format, ...more],
];

function runnable(row, folder, url) {
  const env = { HOME: folder, CICTL_BASE_URL: url, CICTL_TOKEN: 'token', CICTL_ORG: 'acme' };
  const { ours, theirs, against, size, to = 'null', rounds = 5, hasPeak } = row;
  return {
    name: `job log ${row.name}`,
    against,
    run: async () => {
      for (const name of ['marked', 'coloured', row.log]) await writeLog(folder, name);
      const other = typeof theirs === 'function' ? theirs(folder) : theirs;
      const times = measure({ ours, theirs: other, env, rounds, warmUps: 1, stdout: to });
      return { ...throughput(size, times), ...(hasPeak && { note: peakOf(ours, env) }) };
    },
  };
}

function throughput(size, { ours, theirs }) {
  const perSecond = (milliseconds) => size / 1000 / milliseconds;
  return { ours: perSecond(ours), theirs: perSecond(theirs), ratio: theirs / ours };
}

/** Measured in one more run. */
function peakOf([command, ...args], env) {
  const file = join(env.HOME, 'peak');
  const more = { NODE_OPTIONS: `--require=${join(here, 'peak.cjs')}`, CICTL_BENCH_PEAK: file };
  spawnSync(command, args, { env: cleanEnv({ ...env, ...more }), stdio: 'ignore' });
  return `, ${Math.round(Number(readFileSync(file, 'utf8')) / 1024)} MiB at most`;
}
