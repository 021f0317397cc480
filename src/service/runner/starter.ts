/** Starts the processes of jobs: the first few directly, all others through a small program. */
import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startTimer } from '../../common/clock.ts';
import {
  outerEnds,
  startProcess,
  withCovered,
  type Exit,
  type StartProcess,
  type Started,
  type Wanted,
} from './start-process.ts';

/** Starting the program takes 50 ms, so it is started only after this many processes. */
const fewProcesses = 6;
/** The program is stopped if no process has run for this many milliseconds. */
const idleTime = 10_000;

/** The starter program. It only exists in the bundle, and is only used on Linux. */
const usualProgram = join(import.meta.dirname, 'job-starter.cjs');

export function createStarter(program = usualProgram): StartProcess {
  const mayLink = platform() === 'linux' && existsSync(program);
  let link: ReturnType<typeof openStarter> | undefined;
  let started = 0;
  let idle: { stop(): void } | undefined;
  const letGo = (): void => {
    if ((link?.count() ?? 0) > 0) {
      watch();
      return;
    }
    link?.close();
    link = undefined;
    started = 0;
  };
  const watch = (): void => {
    idle?.stop();
    idle = startTimer(idleTime, letGo, { keepsProcess: false });
  };
  return (wanted) => {
    if (++started === fewProcesses && mayLink) link = openStarter(program);
    if (link === undefined) return startProcess(wanted);
    watch();
    return link.isReady() ? link.start(wanted) : startProcess(wanted);
  };
}

interface Pending {
  readonly take: (reply: StarterReply) => void;
  readonly lose: (error: Error) => void;
}

/** Starts the program. While it has running processes, it keeps this process alive. */
export function openStarter(program: string) {
  const child = forkAlone(program);
  const pending = new Map<number, Pending>();
  let isReady = false;
  let last = 0;
  const hold = (): void => {
    if (pending.size > 0) child.channel?.ref();
    else child.channel?.unref();
  };
  const lose = (): void => {
    isReady = false;
    const error = new Error('the program that starts jobs exited');
    for (const one of pending.values()) one.lose(error);
    pending.clear();
  };
  // Needed until the program is ready: if it cannot create a thread, it hangs instead of exiting.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const release = (): void => void process.removeListener('exit', kill);
  child.once('message', () => {
    isReady = child.connected;
    release();
  });
  child.once('exit', release);
  child.once('error', () => {
    release();
    lose();
  });
  child.once('disconnect', lose);
  child.on('message', (reply: StarterReply) => {
    pending.get(reply.id)?.take(reply);
    hold();
  });
  child.unref();
  hold();
  return {
    start: (wanted: Wanted): Promise<Started> =>
      new Promise((begin, fail) => {
        const id = ++last;
        addPending(pending, id, begin, fail);
        hold();
        // If sending fails, `child` emits `disconnect` next.
        child.send({ id, wanted } satisfies StartRequest, () => undefined);
      }),
    /** Whether the program has started and is still connected. */
    isReady: () => isReady,
    count: () => pending.size,
    close: () => {
      if (!isReady) child.kill('SIGKILL');
      isReady = false;
      if (child.connected) child.disconnect();
    },
  };
}

/** Starts the program without passing on the terminals of running jobs. */
function forkAlone(program: string): ChildProcess {
  const nothing = openSync('/dev/null', 'r');
  try {
    return fork(program, [], {
      ...{ cwd: '/', env: {}, execArgv: ['--max-semi-space-size=1', '--v8-pool-size=0'] },
      detached: true,
      stdio: withCovered(['ignore', 'ignore', 'ignore', 'ipc'], outerEnds, nothing),
    });
  } finally {
    closeSync(nothing);
  }
}

/** Adds a request. `begin` or `fail` is called when its process starts or fails to start. */
function addPending(
  pending: Map<number, Pending>,
  id: number,
  begin: (started: Started) => void,
  fail: (error: Error) => void,
): void {
  const ended = new Promise<Exit>((resolve, reject) => {
    pending.set(id, {
      take(reply) {
        if ('started' in reply) {
          begin({ id: reply.started, ended });
          return;
        }
        pending.delete(id);
        if ('ended' in reply) resolve(reply.ended);
        else fail(Object.assign(new Error(reply.failed.message), { code: reply.failed.code }));
      },
      lose(error) {
        fail(error);
        reject(error);
      },
    });
  });
  // If the process does not start, nobody awaits this promise.
  ended.catch(() => undefined);
}

export interface StartRequest {
  readonly id: number;
  /** `wanted.output` is a file descriptor of the service. */
  readonly wanted: Wanted;
}

/** The program replies to a request when the process has started, and again when it has ended. */
export type StarterReply = { readonly id: number } & (
  | { readonly started: number }
  | { readonly ended: Exit }
  | { readonly failed: { readonly message: string; readonly code?: string | undefined } }
);
