/**
 * Sends a request to a service every five milliseconds, in its own process, and records the longest
 * wait: in wall-clock time, and in CPU time of the service's main thread, which does not depend on
 * the load of the machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { requester } from './requester.js';

const program = fileURLToPath(import.meta.url);

/** @param {{ url: string, token: string, pid: number }} service */
export async function startWatcher(service) {
  const child = fork(program);
  child.send(service);
  await once(child, 'message');
  return {
    /** The longest wait since the last call, in milliseconds. */
    longest: async () => {
      const reply = once(child, 'message');
      child.send('longest');
      const [longest] = await reply;
      return longest;
    },
    close: () => child.kill(),
  };
}

if (argv[1] === program) {
  const [service] = await once(process, 'message');
  let longest = { clock: 0, work: 0 };
  let asked = false;
  process.on('message', () => (asked = true));
  const send = requester(service);
  process.send('ready');
  for (;;) {
    const [clock, work] = [performance.now(), workOf(service.pid)];
    await send({ method: 'GET', path: '/v2/user' });
    longest = {
      clock: Math.max(longest.clock, performance.now() - clock),
      work: Math.max(longest.work, workOf(service.pid) - work),
    };
    // Includes the request in progress.
    if (asked) {
      process.send(longest);
      [asked, longest] = [false, { clock: 0, work: 0 }];
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Milliseconds that the main thread of a process has run; undefined if the system does not report
 * it.
 */
function workOf(pid) {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return NaN;
  }
}
