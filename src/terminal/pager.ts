import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { DataStream } from '../render/data-stream.ts';
import { widthOf } from '../render/width.ts';
import type { Messages } from './messages.ts';
import { type OutputTarget, dataStream } from './streams.ts';
import type { Env } from '../common/env.ts';

interface PagedScreen {
  readonly screen: DataStream;
  /** What is said meanwhile comes behind the data, which it would get mixed up with. */
  readonly messages: Pick<Messages, 'redirect'>;
  readonly messageStream: OutputTarget;
  /** The pager was chosen for this tool: it gets everything, and decides itself. */
  readonly isOwn: boolean;
  /** Undefined where there is no such program. */
  readonly openPager: () => Promise<DataStream | undefined>;
}

/**
 * Data for a pager that is started as soon as the screen is too small for it; what fits stands on
 * the screen as it is, when it is closed.
 */
export function pageWhereFull(parts: PagedScreen): DataStream {
  const { screen, openPager } = parts;
  const speak = silence(parts);
  const buffer = rowsBuffer(screen);
  let target: DataStream | undefined;
  const openTarget = async (): Promise<void> => {
    const pager = await openPager();
    target = pager ?? screen;
    await target.write(buffer.take());
    if (pager === undefined) speak();
  };
  return {
    isTerminal: true,
    get width() {
      return screen.width;
    },
    get height() {
      return screen.height;
    },
    async write(data) {
      if (target !== undefined) return target.write(data);
      if (buffer.add(data) || parts.isOwn) await openTarget();
    },
    async close() {
      try {
        if (target === undefined) await screen.write(buffer.take());
        await (target ?? screen).close();
      } finally {
        speak();
      }
    },
  };
}

/** Collects messages until the function it returns is called, which prints them; safe twice. */
function silence({ messages, messageStream }: PagedScreen): () => void {
  const collected: string[] = [];
  messages.redirect((text) => void collected.push(text));
  return () => {
    messages.redirect(undefined);
    const text = collected.splice(0).join('');
    if (text !== '') messageStream.write(text);
  };
}

/** Bytes that no screen has room for, whatever they are. */
const many = 256 * 1024;

/** `add` says whether the screen, but for the row of the cursor, has become too small. */
function rowsBuffer(screen: DataStream) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let rows = 0;
  let open = '';
  return {
    add(data: string | Uint8Array): boolean {
      const chunk = Buffer.from(data);
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > many) return true;
      const lines = (open + chunk.toString()).split('\n');
      open = lines.pop() ?? '';
      rows += rowsOf(lines, screen.width);
      return rows + (open === '' ? 0 : rowsOf([open], screen.width)) > screen.height - 1;
    },
    take: (): Uint8Array => Buffer.concat(chunks.splice(0)),
  };
}

const rowsOf = (lines: readonly string[], width: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / width)), 0);

interface PagerParts {
  /** Command line of the pager, for the shell. */
  readonly command: string;
  readonly env: Env;
  /** The terminal that the pager shows the data on. */
  readonly stdout: OutputTarget;
}

/**
 * Starts a pager for data. Leaving it early is `ReaderGone` to the writer. `less` is asked to keep
 * colours and to end at once when all fits on the screen, unless the user has set `LESS`. Resolves
 * to undefined where there is no such program: the data then goes to the terminal as it is.
 */
export async function openPager({
  command,
  env,
  stdout,
}: PagerParts): Promise<DataStream | undefined> {
  if (!isInstalled(command, env)) return undefined;
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...env },
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const input = dataStream(child.stdin);
  const screen = dataStream(stdout);
  return {
    isTerminal: true,
    get width() {
      return screen.width;
    },
    get height() {
      return screen.height;
    },
    write: (data) => input.write(data),
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

/** Whether the program of a command line is on PATH; assumed where only a shell can know. */
function isInstalled(command: string, env: Env): boolean {
  const [program = ''] = command.trim().split(/\s+/);
  if (program === '') return false;
  if (process.platform === 'win32' || !/^[\w./+-]+$/.test(program)) return true;
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
