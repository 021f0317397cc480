import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DataStream } from '../render/data-stream.ts';
import { widthOf } from '../render/width.ts';
import type { Messages } from './messages.ts';
import { type OutputTarget, dataStream } from './streams.ts';
import type { Env } from '../common/env.ts';
import { findProgram, isExecutable } from '../common/find-bash.ts';

interface PagedScreen {
  readonly screen: DataStream;
  /** Holds messages back until the data has been shown, so that the two are not interleaved */
  readonly messages: Pick<Messages, 'redirect'>;
  readonly messageStream: OutputTarget;
  /** Whether `CICTL_PAGER` is set. If so, all output is paged, even if it fits */
  readonly isOwn: boolean;
  readonly openPager: () => Promise<DataStream | undefined>;
}

/** Starts a pager if the data does not fit on the screen. Otherwise, prints the data on close. */
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

function silence({ messages, messageStream }: PagedScreen): () => void {
  const collected: string[] = [];
  messages.redirect((text) => void collected.push(text));
  return () => {
    messages.redirect(undefined);
    const text = collected.splice(0).join('');
    if (text !== '') messageStream.write(text);
  };
}

/** In bytes. This much does not fit on any screen. */
const many = 256 * 1024;

/** `add` returns whether the data no longer fits above the cursor's row. */
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

/**
 * Starts a pager. If the user quits it early, writing throws `ReaderGone`. Unless `LESS` is set,
 * `less` keeps colors and exits if everything fits. Returns undefined if the pager is not
 * installed. The data then goes directly to the terminal.
 */
export async function openPager(parts: {
  readonly command: string;
  readonly env: Env;
  readonly stdout: OutputTarget;
}): Promise<DataStream | undefined> {
  const { command, env, stdout } = parts;
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

/** Whether the program is on PATH. If only a shell can find out, assumes that it is. */
function isInstalled(command: string, env: Env): boolean {
  const [program = ''] = command.trim().split(/\s+/);
  if (program === '') return false;
  if (process.platform === 'win32' || !/^[\w./+-]+$/.test(program)) return true;
  return program.includes('/') ? isExecutable(program) : findProgram(env, program) !== undefined;
}
