/** Runs a command line, within this process, on a terminal of a given width whose clock stands still. */
import { Writable } from 'node:stream';
import { errorText } from '../../src/cli/error-text.ts';
import { helpText } from '../../src/cli/help.ts';
import { toInvocation } from '../../src/cli/parse.ts';
import { readCommandLine, type CommandLine } from '../../src/cli/program.ts';
import { runCommand, type Host } from '../../src/cli/run-command.ts';
import type { Env } from '../../src/env.ts';
import { CictlError, toExit } from '../../src/errors.ts';
import type { Clock } from '../../src/clock.ts';
import { createSecrets } from '../../src/terminal/secrets.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { noon } from './scene.ts';

export interface Terminal {
  readonly columns: number;
  readonly env: Env;
  readonly cwd: string;
  /** How often a command may wait before somebody presses Ctrl-C; by default for ever. */
  readonly waits?: number;
}

/** What a person sees, escape sequences included. */
export interface Screen {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export async function screenOf(words: readonly string[], terminal: Terminal): Promise<Screen> {
  const [stdout, stderr] = [tty(terminal), tty(terminal)];
  // Without a spinner: how often one turns depends on the machine.
  const host = hostOf(terminal, stdout.stream, plain(stderr.stream));
  const line = readCommandLine(words);
  const exitCode = await run(line, host).catch((error: unknown) => {
    stderr.stream.write(
      errorText(error, { flags: line.flags, env: host.env, secrets: host.secrets }),
    );
    return toExit(error);
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

async function run(line: CommandLine, host: Host): Promise<number> {
  const invocation = toInvocation(line);
  if (invocation.kind === 'run') return runCommand(invocation, host);
  const text = invocation.kind === 'help' ? await helpText(invocation.topic) : '0.0.0\n';
  host.stdout.write(text);
  return 0;
}

function hostOf(
  { env, cwd, waits = Infinity }: Terminal,
  stdout: Host['stdout'],
  stderr: Host['stderr'],
): Host {
  const { signal, clock } = interruptedAfter(waits);
  return {
    ...{ env, cwd, stdout, stderr, signal, urgent: signal, clock, secrets: createSecrets() },
    ...{ nodeVersion: '22.0.0', version: '0.0.0' },
    stdin: { isTerminal: false, read: () => Promise.reject(new CictlError('usage', 'no input')) },
    openStdin: () => process.stdin,
  };
}

/** Time that stands still but for the waits of the command itself, which take none. */
function interruptedAfter(waits: number): Pick<Host, 'signal' | 'clock'> {
  const interrupt = new AbortController();
  const clock = virtualClock(noon);
  let waited = 0;
  const sleep: Clock['sleep'] = (ms, signal) => {
    waited += 1;
    if (waited > waits) interrupt.abort(new CictlError('interrupted', 'interrupted'));
    return clock.sleep(ms, signal);
  };
  return { signal: interrupt.signal, clock: { now: () => clock.now(), sleep } };
}

/** With rows enough for every screen, so that no pager begins. */
function tty({ columns }: Terminal) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: true, columns, rows: 1000 }), text: () => text };
}

const plain = (stream: Writable): Host['stderr'] => Object.assign(stream, { isTTY: false });
