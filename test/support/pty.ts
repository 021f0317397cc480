/** Runs a command in a real terminal (with `script` from util-linux). */
import { spawnSync } from 'node:child_process';
import { execa } from 'execa';
import type { Home } from './home.ts';
import { toolProgram, toolWords } from './tool.ts';
import { timeLimit } from './time-limit.ts';

/** Whether this machine supports that. Use with `test.skipIf(!hasTerminal)`. */
export const hasTerminal = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout,
);

export interface TerminalOptions {
  readonly home: Home;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** What the user types: each entry once, when the screen shows its text. */
  readonly keys?: readonly { readonly after: string | RegExp; readonly type: string }[];
  /** Called with the whole screen after each change. */
  readonly seen?: ((screen: string) => void) | undefined;
  /** In milliseconds. By default, only a deadlock takes that long. */
  readonly timeout?: number;
}

export interface Screen {
  /** Everything written to the terminal, including escape sequences; lines end in CR LF. */
  readonly screen: string;
  readonly bytes: Uint8Array;
  readonly exitCode: number;
}

/** A pager would wait for a key if the output is larger than the screen. */
const noPager = { CICTL_PAGER: '' };

export const cictlInTerminal = (args: readonly string[], options: TerminalOptions) =>
  inTerminal([toolProgram, ...toolWords, ...args], options);

export async function inTerminal(
  command: readonly string[],
  options: TerminalOptions,
): Promise<Screen> {
  const { columns = 100, rows = 30 } = options;
  const line = `stty cols ${columns} rows ${rows}; exec ${command.map(quote).join(' ')}`;
  const child = execa(
    'script',
    ['--quiet', '--return', '--flush', '--command', line, '/dev/null'],
    {
      cwd: options.cwd ?? options.home.cwd,
      env: {
        ...options.home.env,
        TERM: 'xterm-256color',
        SHELL: '/bin/sh',
        ...noPager,
        ...options.env,
      },
      extendEnv: false,
      encoding: 'buffer',
      reject: false,
      stripFinalNewline: false,
      timeout: options.timeout ?? timeLimit,
    },
  );
  typist(child, options.keys ?? []);
  let shown = '';
  child.stdout.on('data', (chunk: Uint8Array) => {
    options.seen?.((shown += new TextDecoder().decode(chunk)));
  });
  const { stdout, exitCode, timedOut } = await child;
  const screen = new TextDecoder().decode(stdout);
  if (timedOut || exitCode === undefined)
    throw new Error(`never finished in the terminal:\n${screen}`);
  return { screen, bytes: stdout, exitCode };
}

type Child = Pick<ReturnType<typeof execa>, 'stdin' | 'stdout'>;

/** The input stays open until the end, like a terminal's. */
function typist(child: Child, keys: NonNullable<TerminalOptions['keys']>): void {
  const left = [...keys];
  let seen = '';
  child.stdout?.on('data', (chunk: Uint8Array) => {
    seen += new TextDecoder().decode(chunk);
    const [next] = left;
    if (next === undefined || seen.search(next.after) < 0) return;
    child.stdin?.write(next.type);
    seen = '';
    left.shift();
  });
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
