import type { DataStream } from '../render/data-stream.ts';
import { widthOf } from '../render/width.ts';
import type { Messages } from './messages.ts';
import type { OutputTarget } from './streams.ts';

export interface PagedScreen {
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
