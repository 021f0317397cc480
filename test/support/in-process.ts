/** Runs a command line as the launcher does, within this process: for very many of them. */
import { Readable, Writable } from 'node:stream';
import { runCommand, type Host } from '../../src/cli/run-command.ts';
import { helpText } from '../../src/cli/help.ts';
import { toInvocation } from '../../src/cli/parse.ts';
import { readCommandLine, type CommandLine } from '../../src/cli/program.ts';
import { errorText } from '../../src/cli/error-text.ts';
import { environmentSecrets } from '../../src/config/known-secrets.ts';
import { CictlError, toExit } from '../../src/errors.ts';
import { createSecrets } from '../../src/terminal/secrets.ts';
import { virtualClock } from './virtual-clock.ts';
import type { Env } from '../../src/common/env.ts';

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the command failed, and did not just end with that code. */
  readonly failed: boolean;
}

export interface InProcess {
  readonly env: Env;
  readonly cwd: string;
  readonly stdin: string;
  /** How often it may wait until somebody presses Ctrl-C. */
  readonly waits: number;
  /** Whether standard output is a terminal; default: a pipe. */
  readonly isTerminal?: boolean;
}

export async function inProcess(args: readonly string[], options: InProcess): Promise<Ended> {
  const [stdout, stderr] = [collector(options.isTerminal), collector()];
  const secrets = createSecrets();
  secrets.add(...environmentSecrets(options.env));
  const { signal, clock } = impatient(options.waits);
  let isRead = false;
  const host: Host = {
    ...{ env: options.env, cwd: options.cwd, clock, signal, urgent: signal, secrets },
    ...{ stdout: stdout.stream, stderr: stderr.stream, nodeVersion: '22.0.0', version: '0.0.0' },
    stdin: {
      isTerminal: false,
      read: () => {
        if (isRead) return Promise.reject(new CictlError('usage', 'standard input is read twice'));
        isRead = true;
        return Promise.resolve(new TextEncoder().encode(options.stdin));
      },
    },
    openStdin: () => Readable.from([Buffer.from(options.stdin)]),
  };
  const line = readCommandLine(args);
  try {
    const exitCode = await run(line, host, stdout.stream);
    return { exitCode, stdout: stdout.text(), stderr: stderr.text(), failed: false };
  } catch (error) {
    const report = errorText(error, { flags: line.flags, env: options.env, secrets });
    const text = stderr.text() + report;
    return { exitCode: toExit(error), stdout: stdout.text(), stderr: text, failed: true };
  }
}

async function run(line: CommandLine, host: Host, stdout: Writable): Promise<number> {
  const invocation = toInvocation(line);
  if (invocation.kind === 'run') return runCommand(invocation, host);
  stdout.write(invocation.kind === 'help' ? await helpText(invocation.topic) : '0.0.0\n');
  return 0;
}

/** A user who presses Ctrl-C when it has waited so often. */
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

function collector(isTTY = false) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 120, rows: 40 }), text: () => text };
}
