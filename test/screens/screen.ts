/** Runs a command line in this process, on a terminal of a given width and with a fixed clock. */
import { Writable } from 'node:stream';
import { errorText } from '../../src/cli/error-text.ts';
import { helpLook, helpText } from '../../src/cli/help.ts';
import { withMeant } from '../../src/cli/meant.ts';
import { toInvocation } from '../../src/cli/parse.ts';
import { readCommandLine, type CommandLine } from '../../src/cli/program.ts';
import { runCommand, type Host } from '../../src/cli/run-command.ts';
import type { Env } from '../../src/common/env.ts';
import { CictlError, toExit } from '../../src/errors.ts';
import type { Clock } from '../../src/common/clock.ts';
import { createSecrets } from '../../src/terminal/secrets.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { noon } from './scene.ts';

export interface Terminal {
  readonly columns: number;
  readonly env: Env;
  readonly cwd: string;
  /** The number of waits after which the user presses Ctrl-C; by default, never. */
  readonly waits?: number;
}

/** What the user sees, including escape sequences. */
export interface Screen {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export async function screenOf(words: readonly string[], terminal: Terminal): Promise<Screen> {
  const [stdout, stderr] = [tty(terminal), tty(terminal)];
  const host = hostOf(terminal, stdout.stream, stderr.stream);
  const line = readCommandLine(words);
  const exitCode = await run(words, line, host).catch((error: unknown) => {
    stderr.stream.write(
      errorText(error, {
        ...{ flags: line.flags, env: host.env, secrets: host.secrets },
        isTerminal: true,
      }),
    );
    return toExit(error);
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

async function run(words: readonly string[], line: CommandLine, host: Host): Promise<number> {
  const invocation = understood(words, line);
  if (invocation.kind === 'run') return runCommand(invocation, host);
  if (invocation.kind === 'version') throw new Error('the version has no screen');
  host.stdout.write(await helpText(invocation.topic, await helpLook(line.flags, host)));
  return 0;
}

/** Prints the intended line for a rejected one, as the launcher does. */
function understood(words: readonly string[], line: CommandLine) {
  try {
    return toInvocation(line);
  } catch (error) {
    throw withMeant(error, words);
  }
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

/** Time only advances by the command's own waits, which take no time; timeouts never expire. */
function interruptedAfter(waits: number): Pick<Host, 'signal' | 'clock'> {
  const interrupt = new AbortController();
  const clock = virtualClock(noon);
  let waited = 0;
  const sleep: Clock['sleep'] = (ms, signal) => {
    if (ms >= shortestLimit) return untilAborted(signal);
    waited += 1;
    if (waited > waits) interrupt.abort(new CictlError('interrupted', 'interrupted'));
    return clock.sleep(ms, signal);
  };
  return { signal: interrupt.signal, clock: { now: () => clock.now(), sleep } };
}

/** Milliseconds. No command waits that long between two polls. */
const shortestLimit = 5000;

const untilAborted = (signal?: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/**
 * With enough rows for every screen, so that no pager starts. A spinner may appear, but leaves
 * nothing.
 */
function tty({ columns }: Terminal) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
      done();
    },
  });
  const cursor = {
    clearLine: () => stream.write('\x1b[2K'),
    cursorTo: (x: number) => stream.write(`\x1b[${x + 1}G`),
    moveCursor: (_: number, rows: number) => stream.write(`\x1b[${Math.abs(rows)}A`),
  };
  const size = { isTTY: true, columns, rows: 1000 };
  return { stream: Object.assign(stream, size, cursor), text: () => text };
}
