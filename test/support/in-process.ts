/**
 * Runs a command line in this process as the launcher would, which is much faster than starting it.
 */
import { Readable, Writable } from 'node:stream';
import manifest from '../../package.json' with { type: 'json' };
import { completeWords, execute } from '../../src/main.ts';
import type { Host } from '../../src/cli/run-command.ts';
import { systemClock } from '../../src/common/clock.ts';
import type { Env } from '../../src/common/env.ts';
import { CictlError } from '../../src/errors.ts';
import { createSecrets } from '../../src/terminal/secrets.ts';
import { createStdin } from '../../src/terminal/stdin.ts';
import { virtualClock } from './virtual-clock.ts';

export interface InProcess {
  readonly env: Env;
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  /** The number of waits after which the user presses Ctrl-C. If set, the clock is virtual. */
  readonly waits?: number;
  /** Whether standard output is a terminal. Default: a pipe. */
  readonly isTerminal?: boolean;
}

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as bytes. */
  readonly bytes: Uint8Array;
  /** Whether it exited with an error message. */
  readonly failed: boolean;
}

export async function inProcess(args: readonly string[], options: InProcess): Promise<Ended> {
  const { env, cwd, waits } = options;
  const { clock, signal } = waits === undefined ? patient() : impatient(waits);
  const [stdout, stderr] = [collector(options.isTerminal), collector()];
  const secrets = createSecrets();
  const input = Readable.from([Buffer.from(options.stdin ?? '')], { objectMode: false });
  const host: Host = {
    ...{ env, cwd, clock, signal, urgent: new AbortController().signal, secrets },
    ...{ stdout: stdout.stream, stderr: stderr.stream, nodeVersion, version },
    stdin: { ...createStdin(() => input, signal), isTerminal: false },
    openStdin: () => input,
  };
  const { exitCode, isForced } =
    args[0] === '__complete'
      ? await completeWords(args, host).then(ended, ended)
      : await execute(args, { ...host, openHost: () => host });
  const bytes = stdout.bytes();
  return { exitCode, failed: isForced, bytes, stdout: text(bytes), stderr: text(stderr.bytes()) };
}

const ended = () => ({ exitCode: 0, isForced: false });

const patient = () => ({ clock: systemClock, signal: new AbortController().signal });

/** A user who presses Ctrl-C after the given number of waits. */
function impatient(waits: number) {
  const interrupt = new AbortController();
  const clock = virtualClock(Date.parse('2026-11-20T10:00:00Z'));
  let waited = 0;
  return {
    signal: interrupt.signal,
    clock: {
      now: () => clock.now(),
      sleep(ms: number, signal?: AbortSignal): Promise<void> {
        waited += 1;
        if (waited > waits) interrupt.abort(new CictlError('interrupted', 'interrupted'));
        return clock.sleep(ms, signal);
      },
    },
  };
}

const nodeVersion = process.versions.node;
const { version } = manifest;

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function collector(isTTY = false) {
  const chunks: Uint8Array[] = [];
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY, columns: 120, rows: 40 }),
    bytes: () => Buffer.concat(chunks),
  };
}
