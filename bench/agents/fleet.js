/**
 * Many simulated agents in separate processes. They report when all are connected and, on `report`,
 * the outcomes of jobs since the last report.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { startAgent } from './agent.js';
import { onCores } from './cores.js';

const program = fileURLToPath(import.meta.url);

/**
 * @typedef {{ accepted: [string, number, number][], started: string[], finished: [string, number, number][], other: object }} Report
 *   accepted: id, when it could run and when it was accepted, in milliseconds since the epoch; finished: id,
 *   status of the reply and when; other: how often which event
 * @param {{ endpoint: string, token: string, count: number, tags?: string[], pace?: number }} options
 *   `count`: agents of each process
 * @param {number} processes
 */
export async function startFleet(options, processes = 1) {
  const [command, ...args] = [...onCores('2,3'), process.execPath, program];
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  const children = Array.from({ length: processes }, () => spawn(command, args, { stdio }));
  await Promise.all(children.map((child) => ask(child, options)));
  return {
    /** @returns {Promise<Report>} */
    report: async () => merge(await Promise.all(children.map((child) => ask(child, 'report')))),
    close: () => children.forEach((child) => child.kill('SIGKILL')),
  };
}

async function ask(child, question) {
  const reply = once(child, 'message');
  child.send(question);
  const [message] = await reply;
  return message;
}

const empty = () => ({ accepted: [], started: [], finished: [], other: {} });

/** @param {Report[]} reports @returns {Report} */
export function merge(reports) {
  const all = empty();
  for (const report of reports) {
    for (const name of ['accepted', 'started', 'finished']) all[name].push(...report[name]);
    for (const [name, number] of Object.entries(report.other)) add(all.other, name, number);
  }
  return all;
}

const add = (counts, name, number) => (counts[name] = (counts[name] ?? 0) + number);

const noted = {
  accepted: ({ accepted }, { id, runnableAt, at }) => accepted.push([id, runnableAt, at]),
  started: ({ started }, { id }) => started.push(id),
  finished: ({ finished }, { id, status }) => finished.push([id, status, Date.now()]),
};

const noteOther = ({ other }, { status }, event) =>
  add(other, `${event} ${status ?? ''}`.trim(), 1);

/** Fifty at a time: a fleet does not start all at once. */
async function startAll({ count, ...options }, report) {
  let next = 0;
  const work = async () => {
    while (next < count) await startAgent({ ...options, name: `simulated-${++next}`, report });
  };
  await Promise.all(Array.from({ length: 50 }, work));
}

if (argv[1] === program) {
  const [options] = await once(process, 'message');
  let report = empty();
  process.on('message', () => {
    process.send(report);
    report = empty();
  });
  await startAll(options, (event, facts) => (noted[event] ?? noteOther)(report, facts, event));
  process.send('connected');
}
