/** Fits a page of help into a width, word by word, and paints its heads. */

export interface HelpPage {
  /** Columns; default 80. */
  readonly width?: number;
  /** How a head is painted; as it is where left out. */
  readonly bold?: (text: string) => string;
}

/** A page whose lines were written without a thought of the width. */
export function helpPage(text: string, { width = 80, bold }: HelpPage = {}): string {
  const lines = blocksOf(text.replace(/\n$/, '').split('\n')).flatMap((block) =>
    fitBlock(block, width),
  );
  const painted = bold === undefined ? lines : lines.map((line, at) => paint(line, at, bold));
  return `${painted.join('\n')}\n`;
}

/** What is wrapped as one: a paragraph, a row with its further lines, or a command line. */
interface Block {
  readonly lines: string[];
  /** Column at which further lines begin. */
  readonly hang: number;
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last !== undefined && continues(line, last)) last.lines.push(line);
    else blocks.push({ lines: [line], hang: hangOf(line) });
  }
  return blocks;
}

/** Prose goes on with the next line, a row with one that begins below its text. */
function continues(line: string, { lines: [first = ''], hang }: Block): boolean {
  if (line === '' || first === '' || isHead(first) || isHead(line)) return false;
  return indentOf(line) === hang && (hang === 0 || indentOf(first) < hang);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** In a row of two columns the place of the second. */
const hangOf = (line: string): number =>
  /^ +\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0].length ?? indentOf(line);

function fitBlock({ lines, hang }: Block, width: number): string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  const [first = '', ...rest] = lines;
  if (/^ +cictl /.test(first)) return commandLines(first, width);
  const start = first.slice(0, hang);
  const words = [first, ...rest].flatMap((line) => line.slice(hang).split(/ +/));
  if (width - hang >= leastColumns || start.trim() === '') return wrap(words, start, hang, width);
  // No place beside: what belongs to it stands below it.
  return [start.trimEnd(), ...wrap(words, ' '.repeat(below), below, width)];
}

/** Columns in which text can be read beside something. */
const leastColumns = 24;

/** Where text begins that stands below what it belongs to. */
const below = 8;

/** Lines of whole words behind `start`; a word longer than a line has one of its own. */
function wrap(words: readonly string[], start: string, hang: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const isFull = line !== '' && hang + line.length + 1 + word.length > width;
    if (isFull) lines.push(line);
    line = isFull || line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text, at) => `${at === 0 ? start : ' '.repeat(hang)}${text}`);
}

/** A command line that a shell still reads as one; no quoted text is parted. */
function commandLines(line: string, width: number): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  const indent = indentOf(line);
  // What follows the first line stands two columns deeper, and the backslash has its place.
  const lines = wrap(words, ' '.repeat(indent), indent + 2, width - 2);
  return lines.map((one, at) => (at < lines.length - 1 ? `${one} \\` : one));
}

/** `Flags:`, alone or before what it is the head of. */
const isHead = (line: string): boolean => /^(?:Usage|More|[A-Z][\w ]*(?=:$)):/.test(line);

function paint(line: string, at: number, bold: (text: string) => string): string {
  if (at === 0 && !isHead(line)) return bold(line);
  return line.replace(/^(?:Usage|More|[A-Z][\w ]*(?=:$)):/, (head) => bold(head));
}
