import { plain, restyle, styleAfter, type Style } from './style.ts';
import {
  findSegments,
  usualLimits,
  type Ending,
  type SegmentBytes,
  settleSegment,
} from './segments.ts';
import { startOfText, markStart } from './time-marks.ts';
import { opensSection, readHeader, type Marker } from './sections.ts';
import { lineEnd, toText } from './text.ts';
import type { SettledLines } from './html/window-lines.ts';
import type { Lines } from './plan-window.ts';
import { settle } from './settle.ts';

/** Where lines are in a log; all numbers of lines are those of settled lines, from 1. */
export interface LogOutline {
  /** Bytes that were read. */
  readonly size: number;
  /** How many lines there are. */
  readonly lines: number;
  /** By their place; the last one is not complete. */
  readonly segments: readonly Segment[];
  /** By their lines. */
  readonly sections: readonly Section[];
  /** Of the last line that has one. */
  readonly lastTime: number | undefined;
}

/** A part of a log that is settled by itself. */
export interface Segment {
  /** Bytes of the log. */
  readonly start: number;
  readonly end: number;
  readonly ending: Ending;
  /** Its first line. */
  readonly line: number;
  /** The style that it begins with, as SGR parameters. */
  readonly sgr: string;
}

export interface LogIndex {
  /** Bytes that follow those before, at most some ten thousand: the caller gives others their turn between. */
  push(chunk: Uint8Array): void;
  /** How it is by now. */
  outline(): LogOutline;
  readonly size: () => number;
}

/** Reads a log once, from its beginning on and as it grows. */
export function createLogIndex(limits = usualLimits): LogIndex {
  const finder = findSegments(limits);
  const segments: Segment[] = [];
  const reader = lineReader();
  let sgr = '';
  let size = 0;

  return {
    push(chunk) {
      size += chunk.length;
      for (const segment of finder.push(chunk)) {
        segments.push(describe(segment, reader.lines() + 1));
        sgr = (segment.isPlain ? readPlain(segment) : readSettled(segment)).sgr;
      }
    },
    outline() {
      const rest = finder.rest();
      const all = reader.fork();
      const last = describe(rest, reader.lines() + 1);
      all.read(settleSegment(rest.bytes, { ending: 'open', before: styleOf(sgr) }).lines);
      return {
        ...{ size, lines: all.lines(), segments: [...segments, last] },
        ...{ sections: all.sections(), lastTime: all.lastTime() },
      };
    },
    size: () => size,
  };

  /** As settling would leave it, at a third of the time. */
  function readPlain({ bytes }: SegmentBytes): Style {
    const text = bytes.toString('latin1');
    reader.pass(text);
    return styleAfter(styleOf(sgr), text);
  }

  function readSettled(segment: SegmentBytes): Style {
    const { lines, after } = settleSegment(segment.bytes, { ...segment, before: styleOf(sgr) });
    reader.read(lines);
    return after;
  }

  function describe({ start, end, ending }: SegmentBytes, line: number): Segment {
    return { start, end, ending, line, sgr };
  }
}

/** The style of SGR parameters. */
export const styleOf = (sgr: string) => (sgr === '' ? plain : restyle(plain, sgr));

export interface Section {
  /** Of its header. */
  readonly line: number;
  readonly marker: Marker;
  readonly name: string;
  readonly time: number | undefined;
  /** A line of it says that it is to be open. */
  readonly isOpened: boolean;
}

/** Reads settled lines for what is asked of all of them. */
interface LineReader {
  /** Whole lines, but for the last of all. */
  read(lines: string): void;
  /** Whole lines that need not be settled, and of which none is a header. */
  pass(lines: string): void;
  readonly lines: () => number;
  readonly sections: () => readonly Section[];
  readonly lastTime: () => number | undefined;
  /** A reader that goes on from here and leaves this one as it is. */
  fork(): LineReader;
}

/** Beyond this a `Date` is invalid. */
const latest = 8.64e15;

interface State {
  lines: number;
  lastTime: number | undefined;
  readonly sections: Section[];
}

/** More headers are lines as others are: a page of so many sections shows nothing. */
const mostSections = 10_000;

function lineReader(before?: State): LineReader {
  const state: State = {
    lines: 0,
    lastTime: undefined,
    ...before,
    sections: before?.sections.slice() ?? [],
  };
  return {
    read,
    pass,
    lines: () => state.lines,
    sections: () => state.sections,
    lastTime: () => state.lastTime,
    fork: () => lineReader(state),
  };

  function read(lines: string): void {
    const bytes = Buffer.from(lines, 'latin1');
    for (let at = 0; at < lines.length; at = lineEnd(lines, at)) {
      state.lines += 1;
      const { time, text, mayBeMarker } = startOfText(bytes, at);
      state.lastTime = time ?? state.lastTime;
      if (mayBeMarker) marker(lines.slice(text, lineEnd(lines, at)), time);
    }
  }

  function pass(lines: string): void {
    for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) state.lines += 1;
    const mark = lines.lastIndexOf(markStart);
    const time = mark < 0 ? NaN : parseInt(lines.slice(mark + markStart.length, mark + 30), 10);
    if (time <= latest) state.lastTime = time;
  }

  function marker(text: string, time: number | undefined): void {
    const { sections } = state;
    const header = readHeader(text);
    if (header !== undefined && sections.length < mostSections)
      sections.push({ ...header, line: state.lines, time, isOpened: false });
    const last = sections.at(-1);
    if (header === undefined && last !== undefined && opensSection(text))
      sections[sections.length - 1] = { ...last, isOpened: true };
  }
}

/** Those of the lines that are in a segment, whose bytes are given. */
export function linesOfSegment(
  segment: Segment,
  bytes: Uint8Array,
  { from, to }: Lines,
): SettledLines {
  const { lines } = settleSegment(bytes, { ...segment, before: styleOf(segment.sgr) });
  const first = Math.max(from, segment.line);
  const start = startOfLine(lines, first - segment.line);
  const end = startOfLine(lines, to - segment.line);
  const before = styleAfter(plain, lines.slice(0, start));
  return { first, before, lines: lines.slice(start, end) };
}

/** Where the line begins before which so many are, or the end. */
function startOfLine(lines: string, count: number): number {
  let at = 0;
  for (let line = 0; line < count && at < lines.length; line++) at = lineEnd(lines, at);
  return at;
}

/** The segments that some lines are in. */
export function segmentsOf(segments: readonly Segment[], { from, to }: Lines): Segment[] {
  return segments.filter(
    ({ line }, index) => line < to && (segments[index + 1]?.line ?? Infinity) > from,
  );
}

export interface Match {
  readonly line: number;
  readonly text: string;
}

/** The lines of a segment in which the text is, in any case, colours or not. */
export function linesWith(
  text: string,
  { line }: Pick<Segment, 'line'>,
  bytes: Uint8Array,
): Match[] {
  const wanted = lower(text);
  const stage = settle();
  const lines = toText(stage.push(bytes) + stage.end());
  if (!lower(lines).includes(wanted)) return [];
  return lines.split('\n').flatMap((one, index) => {
    return lower(one).includes(wanted) ? [{ line: line + index, text: one }] : [];
  });
}

/** As long as the text, as the script of the page has it: of all characters `İ` alone would have a longer one. */
const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();
