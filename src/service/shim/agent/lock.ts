import { AgentError, type Command, type Flag, type Given } from './command.ts';
import { ask } from './send.ts';
import { print } from './print.ts';

/** Milliseconds that one request may wait for the lock. */
const longestCall = 1000;

const scope: Flag = {
  name: 'lock-scope',
  value: 'machine',
  env: ['BUILDKITE_LOCK_SCOPE'],
  default: 'machine',
  help: 'The scope of the lock',
};
const timeout: Flag = {
  name: 'lock-wait-timeout',
  value: 'duration',
  env: ['BUILDKITE_LOCK_WAIT_TIMEOUT'],
  default: '0s',
  help: 'Maximum time to wait, such as 90s or 5m (0s: no limit)',
};
const sockets: Flag = { name: 'sockets-path', value: 'path', help: '' };

/** Commands for locks on this machine. The service releases a job's locks when the job finishes. */
export const lockCommands: readonly Command[] = [
  {
    name: 'lock acquire',
    summary: 'Acquire a lock, waiting if necessary, and print the token that releases it',
    args: '<key>',
    needs: ['lock key'],
    flags: [scope, sockets, timeout],
    run: (given) => wait(given, 'acquire'),
  },
  {
    name: 'lock release',
    summary: 'Release a lock',
    args: '<key> <token>',
    needs: ['lock key', 'lock token'],
    flags: [scope, sockets],
    async run(given) {
      await change(given, 'release');
    },
  },
  {
    name: 'lock do',
    summary: 'Print `do` for the first caller; others wait for `lock done` and get `done`',
    args: '<key>',
    needs: ['lock key'],
    flags: [scope, sockets, timeout],
    run: (given) => wait(given, 'do'),
  },
  {
    name: 'lock done',
    summary: 'Mark the work started by `lock do` as done',
    args: '<key>',
    needs: ['lock key'],
    flags: [scope, sockets],
    async run(given) {
      await change(given, 'done');
    },
  },
  {
    name: 'lock get',
    summary: 'Print the value of a lock (empty if it is not held)',
    args: '<key>',
    needs: ['lock key'],
    flags: [scope, sockets],
    async run(given) {
      print(`${(await change(given, 'get')) ?? ''}\n`);
    },
  },
];

/** Repeats the request until the lock is free. A single request waits for up to `longestCall`. */
async function wait(given: Given, action: 'acquire' | 'do'): Promise<undefined> {
  const text = given.text('lock-wait-timeout');
  const limit = milliseconds(text);
  const end = limit === 0 ? Infinity : performance.now() + limit;
  for (let left = limit === 0 ? Infinity : limit; left > 0; left = end - performance.now()) {
    const value = await change(given, action, Math.ceil(Math.min(left, longestCall)));
    if (value === null) continue;
    print(`${value}\n`);
    return;
  }
  throw new AgentError(`could not ${words[action] ?? action} lock: still held after ${text}`);
}

async function change(given: Given, action: string, waits = 0): Promise<string | null> {
  if (given.text('lock-scope') !== 'machine')
    throw new AgentError('only the lock scope "machine" is supported');
  const [key, token] = given.args;
  const body = { key, wait: waits, ...(token !== undefined && { token }) };
  const call = { path: `/local/v1/job/locks/${action}`, body };
  const reply = await ask(given, `could not ${words[action] ?? action} lock`, call);
  return (reply as { value?: string | null } | undefined)?.value ?? null;
}

const words: Readonly<Record<string, string>> = { do: 'begin', done: 'complete', get: 'read' };

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a Go duration, such as `1m30s` or `0`. */
function milliseconds(text: string): number {
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new AgentError(`invalid value "${text}" for flag -lock-wait-timeout`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
}
