/** Who starts the processes of jobs: this process the first, and where there are many a small program. */
import { existsSync, closeSync, openSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { startTimer } from '../../common/clock.ts';
import {
  startProcess,
  type StartProcess,
  type Exit,
  type Started,
  outerEnds,
  withCovered,
  type Wanted,
} from './start-process.ts';

/** It takes a twentieth of a second to begin, which a few processes do not repay. */
const fewProcesses = 6;
/** Milliseconds without a process after which it is let go. */
const idleTime = 10_000;

/** Stands in the bundle alone, and finds what is open by its number, which Linux has. */
const usualProgram = join(import.meta.dirname, 'job-starter.cjs');

export function createStarter(program = usualProgram): StartProcess {
  const mayLink = platform() === 'linux' && existsSync(program);
  let link: StarterLink | undefined;
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

// The connection to the program that starts processes.

interface StarterLink {
  readonly start: StartProcess;
  /** Whether it can be used: it has begun, and is there. */
  isReady(): boolean;
  /** How many of its processes are running. */
  count(): number;
  close(): void;
}

interface Pending {
  readonly begin: (started: Started) => void;
  readonly fail: (error: Error) => void;
  readonly end: (exit: Exit) => void;
  readonly ended: Promise<Exit>;
  readonly lose: (error: Error) => void;
}

/** Starts the program; it holds the service as long as one of its processes is running. */
export function openStarter(program: string): StarterLink {
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
    const error = new Error('the program that started it has ended');
    for (const one of pending.values()) one.lose(error);
    pending.clear();
  };
  const release = endWithUs(child);
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
    take(pending, reply);
    hold();
  });
  child.unref();
  hold();
  return {
    start: (wanted) =>
      new Promise((begin, fail) => {
        const id = ++last;
        pending.set(id, newPending(begin, fail));
        hold();
        send(child, { id, wanted });
      }),
    isReady: () => isReady,
    count: () => pending.size,
    close: () => {
      if (!isReady) child.kill('SIGKILL');
      isReady = false;
      if (child.connected) child.disconnect();
    },
  };
}

/** Without the terminals of jobs that run now. */
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

/**
 * Until it has begun: one that the system refuses a thread never does, and would not see either that
 * its service has gone. Returns what takes this back.
 */
function endWithUs(child: ChildProcess): () => void {
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  return () => process.removeListener('exit', end);
}

/** What cannot be sent is lost with the connection. */
const send = (child: ChildProcess, request: StartRequest): void =>
  void child.send(request, () => undefined);

function newPending(begin: Pending['begin'], fail: Pending['fail']): Pending {
  let end: Pending['end'] = () => undefined;
  let loseIt: Pending['lose'] = () => undefined;
  const ended = new Promise<Exit>((resolve, reject) => {
    end = resolve;
    loseIt = reject;
  });
  // Nobody waits for it where it has not begun.
  ended.catch(() => undefined);
  const lose = (error: Error): void => {
    fail(error);
    loseIt(error);
  };
  return { begin, fail, end, ended, lose };
}

function take(pending: Map<number, Pending>, reply: StarterReply): void {
  const one = pending.get(reply.id);
  if (one === undefined) return;
  if ('started' in reply) {
    one.begin({ id: reply.started, ended: one.ended });
    return;
  }
  pending.delete(reply.id);
  if ('ended' in reply) one.end(reply.ended);
  else one.fail(Object.assign(new Error(reply.failed.message), { code: reply.failed.code }));
}

// What the service and the program that starts its processes say to each other.

export interface StartRequest {
  readonly id: number;
  /** `output` is that of the service. */
  readonly wanted: Wanted;
}

/** Of one request: first how it began, then how it ended. */
export type StarterReply = { readonly id: number } & (
  | { readonly started: number }
  | { readonly ended: Exit }
  | { readonly failed: { readonly message: string; readonly code?: string | undefined } }
);
