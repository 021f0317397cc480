/**
 * Asks a service who it is every five milliseconds, in a process of its own, and keeps the longest wait:
 * by the clock, and by what the main thread of the service worked meanwhile, which other programs of
 * a busy machine do not lengthen.
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
    /** The longest wait since the last look, in milliseconds. */
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
    // Whoever asks hears of the request that was on its way too.
    if (asked) {
      process.send(longest);
      [asked, longest] = [false, { clock: 0, work: 0 }];
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Milliseconds that the main thread of a process has run; nothing where the system does not say. */
function workOf(pid) {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return NaN;
  }
}
