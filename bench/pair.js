/**
 * Compares two commands: A B A B … after a warm-up, each in a clean environment. Only the ratio of
 * their medians is meaningful; absolute times depend on the machine.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSink } from './sinks.js';

/** NODE_EXTRA_CA_CERTS would add 40 ms to each start of Node 20 and hide the tool's own time. */
export const cleanEnv = (more = {}) => ({ PATH: process.env.PATH, LANG: 'C.UTF-8', ...more });

/**
 * @param {{ ours: string[], theirs: string[], env?: object, rounds?: number, warmUps?: number,
 * stdout?: string }} pair
 * command lines of the tool and of its baseline; `stdout`: where output goes: nowhere (`null`),
 * through a
 * pipe, to a file, or by default to this process
 * @returns {{ ours: number, theirs: number, ratio: number }} medians in milliseconds
 */
export const measure = ({ env = {}, stdout, ...pair }) =>
  compare(pair, (words) => time(words, env, stdout));

/** The same for the CPU time of programs on Node. */
export const measureCpu = ({ env = {}, ...pair }) => compare(pair, (words) => cpuTime(words, env));

/** The same for the CPU time of any programs, whose output is discarded. */
export const measureAnyCpu = ({ env = {}, ...pair }) =>
  compare(pair, (words) => anyCpuTime(words, env));

function anyCpuTime(words, env) {
  const program = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', program, 'bash', ...words], {
    env: cleanEnv(env),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

function compare({ ours, theirs, rounds = 21, warmUps = 3 }, timeBy) {
  const times = { ours: [], theirs: [] };
  for (let round = -warmUps; round < rounds; round++) {
    const pair = [timeBy(ours), timeBy(theirs)];
    if (round < 0) continue;
    times.ours.push(pair[0]);
    times.theirs.push(pair[1]);
  }
  const [mine, other] = [median(times.ours), median(times.theirs)];
  return { ours: mine, theirs: other, ratio: mine / other };
}

const time = (words, env, sink) =>
  withSink(sink, words, (started, stdout) => timeOf(started, env, stdout));

function cpuTime(words, env) {
  const file = join(tmpdir(), `cictl-bench-${process.pid}.cpu`);
  const NODE_OPTIONS = `--require=${join(import.meta.dirname, 'cpu.cjs')}`;
  time(words, { ...env, NODE_OPTIONS, CICTL_BENCH_CPU: file }, 'null');
  const microseconds = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return microseconds / 1000;
}

function timeOf([command, ...args], env, stdout) {
  const from = process.hrtime.bigint();
  const { status, error, stderr } = spawnSync(command, args, {
    env: cleanEnv(env),
    stdio: ['ignore', stdout, 'pipe'],
    maxBuffer: 2 ** 31,
  });
  const took = Number(process.hrtime.bigint() - from) / 1e6;
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  }
  return took;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
