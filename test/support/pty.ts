/** Runs a command in a real terminal (of `script`, util-linux), for what only a terminal shows. */
import { spawnSync } from 'node:child_process';
import { execa } from 'execa';
import type { Home } from './home.ts';
import { toolProgram, toolWords } from './tool.ts';
import { timeLimit } from './time-limit.ts';

/** Whether this machine can: `test.skipIf(!hasTerminal)`. */
export const hasTerminal = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout,
);

export interface TerminalOptions {
  readonly home: Home;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** What a person types, each once when the screen shows its text. */
  readonly keys?: readonly { readonly after: string | RegExp; readonly type: string }[];
  /** Given the whole screen, whenever something is added. */
  readonly seen?: ((screen: string) => void) | undefined;
  /** Milliseconds. Default: what only a deadlock reaches. */
  readonly timeout?: number;
}

export interface Screen {
  /** All that was written to the terminal, escape sequences included; lines end in CR LF. */
  readonly screen: string;
  readonly bytes: Uint8Array;
  readonly exitCode: number;
}

/** What does not fit on the screen would wait for a key. */
const noPager = { CICTL_PAGER: '' };

/** Runs the built tool in a terminal. */
export const cictlInTerminal = (args: readonly string[], options: TerminalOptions) =>
  inTerminal([toolProgram, ...toolWords, ...args], options);

/** Runs any command in a terminal. */
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
  if (timedOut || exitCode === undefined) throw new Error(`no end in the terminal:\n${screen}`);
  return { screen, bytes: stdout, exitCode };
}

type Child = Pick<ReturnType<typeof execa>, 'stdin' | 'stdout'>;

/** The input stays open to the end, as a terminal's does. */
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
