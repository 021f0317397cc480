import search from '@inquirer/search';
import { CictlError, usageError } from '../errors.ts';
import { createColors } from '../render/colors.ts';
import { emojisFor } from '../render/shortcodes.ts';
import { shorten, widthOf, shortenStart } from '../render/width.ts';
import type { OutputTarget } from './streams.ts';
import { fitWidths } from '../render/fit.ts';

interface Picking {
  readonly stdin: NodeJS.ReadableStream;
  readonly screen: OutputTarget;
  readonly color: boolean;
  readonly question: string;
  readonly rows: readonly (readonly string[])[];
  /** Indexes of cells that are truncated at the start */
  readonly tails?: readonly number[];
  readonly signal: AbortSignal;
}

/** Returns the index of the chosen row. Throws the same errors as `askLine`. */
export async function pick({ question, ...parts }: Picking): Promise<number> {
  const { stdin, screen, signal } = parts;
  const emojis = await emojisFor(parts.rows.flat());
  const rows = parts.rows.map((row) => row.map(emojis));
  const leaving = leaveAtEnd(stdin);
  const room = (): number => (screen.columns || 80) - widthOf(question) - frame - 2;
  const short = (choice: { name: string; value: number }) => ({
    ...choice,
    short: shorten(choice.name.replace(/ +/g, ' '), Math.max(10, room())),
  });
  const config = {
    message: question,
    // Evaluated at each redraw, because the terminal may have been resized.
    get pageSize() {
      return Math.max(3, Math.min(rows.length, (screen.rows || 24) - 5, 15));
    },
    theme: await themeOf(parts.color),
    source: (term = '') => {
      const lines = alignedLines(rows, (screen.columns || 80) - frame, parts.tails);
      return matching(rows, lines, term).map(short);
    },
  };
  const either = AbortSignal.any([signal, leaving.signal]);
  try {
    return await search(config, { input: stdin, output: screen, signal: either });
  } catch (error) {
    signal.throwIfAborted();
    if (leaving.signal.aborted) throw usageError('canceled: no answer');
    const isInterrupt = error instanceof Error && error.name === 'ExitPromptError';
    throw isInterrupt ? new CictlError('interrupted', 'interrupted') : error;
  } finally {
    leaving.close();
  }
}

/** Columns for the cursor before a row, plus the last column, at which some terminals wrap. */
const frame = 3;

/** Handles Esc and the end of the input. The library ignores them and would wait forever. */
function leaveAtEnd(stdin: NodeJS.ReadableStream) {
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  const onKey = (_text: string, key?: { ctrl?: boolean; name?: string }): void => {
    if ((key?.ctrl === true && key.name === 'd') || key?.name === 'escape') leave();
  };
  stdin.on('keypress', onKey).once('end', leave);
  return {
    signal: controller.signal,
    close: () => void stdin.off('keypress', onKey).off('end', leave),
  };
}

/** The rows that contain all search words. Searches the displayed text too, as Tab copies it. */
function matching(
  rows: readonly (readonly string[])[],
  lines: readonly string[],
  term: string,
): { name: string; value: number }[] {
  const words = term.toLowerCase().split(/\s+/);
  return lines
    .map((name, value) => ({ name, value }))
    .filter(({ name, value }) => {
      const text = [...(rows[value] ?? []), name].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
}

async function themeOf(color: boolean) {
  const { bold, cyan, dim, green } = await createColors(color);
  const plain = (text: string): string => text;
  return {
    prefix: { idle: '?', done: green('✓') },
    spinner: { frames: ['?'] },
    icon: { cursor: '❯' },
    style: {
      // The library passes additional arguments, which must not be passed to `bold`.
      message: (text: string) => bold(text),
      highlight: (text: string) => cyan(text),
      ...{ answer: plain, searchTerm: plain, error: plain },
      keysHelpTip: () => dim('type to narrow · ↑↓ · Enter · Ctrl-C'),
    },
  };
}

const gap = 2;

/** Truncates or drops columns until the rows fit. Columns in `tails` are truncated at the start. */
export function alignedLines(
  rows: readonly (readonly string[])[],
  width: number,
  tails: readonly number[] = [],
): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const whole = width < usualWidth ? 0 : wordWidth;
  const columns = Array.from({ length: count }, (_, at) => {
    const natural = Math.max(...rows.map((row) => widthOf(row[at] ?? '')));
    return { natural, flexible: true, ...(natural <= whole && { least: natural }) };
  });
  const widths = fitWidths(columns, width, gap);
  return rows.map((row) =>
    widths
      .flatMap((room, at) => (room ? [padded(row[at] ?? '', room, tails.includes(at))] : []))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/** Numbers and states are only truncated if the terminal is narrower than usual. */
const wordWidth = 16;
const usualWidth = 36;

function padded(text: string, width: number, keepsEnd: boolean): string {
  const shown = keepsEnd ? shortenStart(text, width) : shorten(text, width);
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)));
}
