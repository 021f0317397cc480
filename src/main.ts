/** Handles the process: arguments, signals and exit code. The only code that catches all errors. */
import { isatty } from 'node:tty';
import manifest from '../package.json' with { type: 'json' };
import { toInvocation, type Invocation } from './cli/parse.ts';
import { readCommandLine, type CommandLine } from './cli/program.ts';
import { errorText } from './cli/error-text.ts';
import type { Host } from './cli/run-command.ts';
import { systemClock, startTimer } from './common/clock.ts';
import type { Env } from './common/env.ts';
import { environmentSecrets, profileSecrets } from './config/known-secrets.ts';
import { readProfiles } from './config/profiles.ts';
import { CictlError, toExit } from './errors.ts';
import { createSecrets, type Secrets } from './terminal/secrets.ts';
import { createStdin } from './terminal/stdin.ts';
import { dataStream, ReaderGone } from './terminal/streams.ts';

/** What a command line needs from its process. Tests pass their own streams and variables. */
export interface World extends Pick<Host, 'env' | 'stdout' | 'stderr' | 'secrets'> {
  /** Throws if the working directory has been removed. */
  openHost(): Host;
}

export async function start(): Promise<void> {
  const args = process.argv.slice(2);
  const { env, stdout, stderr } = process;
  const secrets = createSecrets();
  const world = { env, stdout, stderr, secrets, openHost: () => createHost(secrets) };
  // If this message cannot be written, the exit code still reports the error.
  stderr.on('error', () => undefined);
  if (args[0] === '__complete') {
    // Completion ignores errors. Pending work must not delay the shell's prompt.
    await completeWords(args, { env, stdout, cwd: folderOrRoot() }).catch(() => undefined);
    process.exit(0);
  }
  process.on('uncaughtException', (error) => {
    report(error, readCommandLine(args), world);
    process.exit(toExit(error));
  });
  const { exitCode, isForced } = await execute(args, world);
  process.exitCode = exitCode;
  if (isForced) exitSoon();
}

/**
 * Runs a command line and reports its error. With `isForced`, pending work does not delay the exit.
 */
export async function execute(
  args: readonly string[],
  world: World,
): Promise<{ exitCode: number; isForced: boolean }> {
  world.secrets.add(...environmentSecrets(world.env));
  const line = readCommandLine(args);
  try {
    return { exitCode: await dispatch(line, args, world), isForced: false };
  } catch (error) {
    if (error instanceof ReaderGone) return { exitCode: 0, isForced: false };
    report(error, line, world);
    return { exitCode: toExit(error), isForced: true };
  }
}

/** Exits even if a host name lookup is pending (up to a minute). Waits for slow output readers. */
function exitSoon(): void {
  const waiting = process.stdout.writableLength + process.stderr.writableLength;
  const end = waiting === 0 ? () => process.exit() : exitSoon;
  startTimer(200, end, { keepsProcess: false });
}

async function dispatch(line: CommandLine, args: readonly string[], world: World): Promise<number> {
  const invocation = await understand(line, args);
  if (invocation.kind === 'version') return print(`${manifest.version}\n`, world);
  if (invocation.kind === 'help') {
    // The launcher prints most help. This handles terminals, other flags and misspelled topics.
    const { helpText, helpLook } = await import('./cli/help.ts');
    return print(await helpText(invocation.topic, await helpLook(line.flags, world)), world);
  }
  const { runCommand } = await import('./cli/run-command.ts');
  const isHelp = invocation.entry.command.name === 'help';
  const ended = runCommand(invocation, world.openHost());
  return isHelp ? ended.catch((error: unknown) => explainTopic(error, line.words)) : ended;
}

async function understand(line: CommandLine, args: readonly string[]): Promise<Invocation> {
  try {
    return toInvocation(line);
  } catch (error) {
    const { withMeant } = await import('./cli/meant.ts');
    throw withMeant(error, args);
  }
}

async function explainTopic(error: unknown, topic: readonly string[]): Promise<never> {
  const { withMeantHelp } = await import('./cli/meant.ts');
  throw withMeantHelp(error, topic);
}

/** The words to complete may come after `--`. */
export async function completeWords(
  args: readonly string[],
  { env, cwd, stdout }: Pick<Host, 'env' | 'cwd' | 'stdout'>,
): Promise<void> {
  const { completionLines } = await import('./cli/completion/complete.ts');
  const words = args.slice(args[1] === '--' ? 2 : 1);
  const world = { env, cwd, clock: systemClock, nodeVersion, version: manifest.version };
  await print(await completionLines(words, world), { stdout });
}

const nodeVersion = process.versions.node;

function folderOrRoot(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

async function print(text: string, { stdout }: Pick<World, 'stdout'>): Promise<number> {
  await dataStream(stdout).write(text);
  return 0;
}

function createHost(secrets: Secrets): Host {
  const { signal, urgent } = listen();
  return {
    ...{ env: process.env, cwd: workingFolder(), clock: systemClock, signal, urgent },
    stdin: createStdin(() => process.stdin, signal),
    openStdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    secrets,
    nodeVersion,
    version: manifest.version,
  };
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    const message = 'cannot use the working directory: it no longer exists';
    throw new CictlError('machine', message, { cause, hint: 'cd' });
  }
}

/** The first signal shuts down cleanly, the second immediately. The third kills the process. */
function listen(): { signal: AbortSignal; urgent: AbortSignal } {
  const [first, second] = [new AbortController(), new AbortController()];
  const on = (kind: 'interrupted' | 'terminated') => () => {
    const reason = new CictlError(kind, kind);
    if (!first.signal.aborted) first.abort(reason);
    else if (!second.signal.aborted) second.abort(reason);
    else process.exit(toExit(reason));
  };
  process.on('SIGINT', on('interrupted'));
  process.on('SIGTERM', on('terminated'));
  // By default, SIGQUIT would leave the jobs of a service in this process running.
  process.on('SIGQUIT', on('terminated'));
  process.on('SIGHUP', [0, 1, 2].some(isatty) ? hungUp(on('terminated')) : stayOn);
  return { signal: first.signal, urgent: second.signal };
}

/** Ignores SIGHUP without a terminal. By default Node would exit, even under `nohup`. */
const stayOn = (): void => undefined;

/**
 * After a clean shutdown, the process is ended by the signal itself: some versions of Node abort if
 * they exit normally after their terminal has closed. Ignores later signals, because both the
 * system and the shell send one.
 */
function hungUp(end: () => void): () => void {
  let isClosed = false;
  return () => {
    if (isClosed) return;
    isClosed = true;
    process.once('exit', () => {
      process.removeAllListeners('SIGHUP');
      process.kill(process.pid, 'SIGHUP');
    });
    end();
  };
}

function report(error: unknown, { flags }: CommandLine, world: World): void {
  const { env, stderr, secrets } = world;
  addProfileSecrets(env, secrets);
  stderr.write(errorText(error, { flags, env, secrets, isTerminal: stderr.isTTY }));
}

/**
 * Redacts the tokens of all profiles: a command line that was not parsed may contain any of them.
 */
function addProfileSecrets(env: Env, secrets: Secrets): void {
  try {
    secrets.add(...profileSecrets(readProfiles(env)));
  } catch {}
}
