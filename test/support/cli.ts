/**
 * Runs the tool in pipes, as a user's shell would. By default, its source runs in this process,
 * which is ten times as fast. In a full run, and for the executable, the built tool is started.
 */
import { execa } from 'execa';
import { createHome, type Home } from './home.ts';
import { isFull } from './is-full.ts';
import { isExecutable, toolProgram, toolWords } from './tool.ts';
import { timeLimit } from './time-limit.ts';

export interface CliOptions {
  /** Defaults to an empty home, which is removed afterwards. */
  readonly home?: Home;
  /** Added to the clean environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Defaults to an empty directory. */
  readonly cwd?: string;
  /** Defaults to empty input that ends immediately. */
  readonly stdin?: string | Uint8Array;
  /** Whether to always run the tool in a separate process. */
  readonly started?: boolean;
  /** Milliseconds after which the test fails. By default, only a deadlock takes that long. */
  readonly timeout?: number;
}

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Standard output as bytes. */
  readonly bytes: Uint8Array;
}

export async function cictl(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const home = options.home ?? (await createHome());
  try {
    return await run(args, home, options);
  } finally {
    if (options.home === undefined) await home.remove();
  }
}

/** Always starts the built tool, for behavior that depends on the process. */
export const builtCictl = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  cictl(args, { ...options, started: true });

async function run(args: readonly string[], home: Home, options: CliOptions): Promise<CliResult> {
  if (options.started !== true && !isExecutable && !isFull) {
    const { inProcess } = await import('./in-process.ts');
    const { cwd, env } = processOptions(home, options);
    return inProcess(args, { cwd, env, stdin: options.stdin ?? '' });
  }
  const { stdout, stderr, exitCode, timedOut, signal } = await execa(
    toolProgram,
    [...toolWords, ...args],
    {
      ...processOptions(home, options),
      input: options.stdin ?? '',
      encoding: 'buffer',
      reject: false,
      stripFinalNewline: false,
      timeout: options.timeout ?? timeLimit,
    },
  );
  if (timedOut || exitCode === undefined) {
    throw new Error(
      `cictl ${args.join(' ')}: ${timedOut ? 'no end' : `ended by ${signal ?? '?'}`}`,
    );
  }
  return { stdout: text(stdout), stderr: text(stderr), exitCode, bytes: stdout };
}

/** Starts the tool in the background, with pipes. Stop it with `kill` before the test ends. */
export const startCictl = (args: readonly string[], home: Home, options: CliOptions = {}) =>
  execa(toolProgram, [...toolWords, ...args], {
    ...processOptions(home, options),
    reject: false,
    buffer: false,
    cleanup: true,
  });

const processOptions = (home: Home, options: CliOptions) => ({
  cwd: options.cwd ?? home.cwd,
  env: { ...home.env, ...options.env },
  extendEnv: false as const,
});

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
