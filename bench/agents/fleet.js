/**
 * Many simulated agents in a process of their own. It says when all are connected, and on `report`
 * what came of their jobs since the last one.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { argv } from 'node:process';
import { startAgent } from './agent.js';

const program = fileURLToPath(import.meta.url);

/**
 * @param {{ endpoint: string, token: string, count: number, name?: string, tags?: string[], pace?: number }} options
 * @returns {Promise<Fleet>}
 */
export async function startFleet(options) {
  const child = fork(program);
  const ask = async (question) => {
    const reply = once(child, 'message');
    child.send(question);
    const [message] = await reply;
    return message;
  };
  await ask(options);
  return {
    /** `{ accepted: [id, runnableAt, at][], started: id[], finished: [id, status][], other: {} }` */
    report: () => ask('report'),
    close: () => child.kill('SIGKILL'),
  };
}

function empty() {
  return { accepted: [], started: [], finished: [], other: {} };
}

const noted = {
  accepted: ({ accepted }, { id, runnableAt, at }) => accepted.push([id, runnableAt, at]),
  started: ({ started }, { id }) => started.push(id),
  finished: ({ finished }, { id, status }) => finished.push([id, status]),
};

const count = ({ other }, { status }, event) => {
  const name = `${event} ${status ?? ''}`.trim();
  other[name] = (other[name] ?? 0) + 1;
};

/** Fifty at a time: a fleet does not come all at once. */
async function startAll({ count: agents, name = 'simulated', ...options }, report) {
  let next = 0;
  const work = async () => {
    while (next < agents) await startAgent({ ...options, name: `${name}-${++next}`, report });
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
  const note = (event, facts) => (noted[event] ?? count)(report, facts, event);
  await startAll(options, note);
  process.send('connected');
}
