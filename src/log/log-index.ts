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

/** Where the lines of a log are. Line numbers are those of settled lines, from 1. */
export interface LogOutline {
  /** Bytes read. */
  readonly size: number;
  readonly lines: number;
  /** In order; the last one is not complete. */
  readonly segments: readonly Segment[];
  readonly sections: readonly Section[];
  /** Of the last line that has a time. */
  readonly lastTime: number | undefined;
}

export interface Segment {
  /** Offset in the log, in bytes. */
  readonly start: number;
  readonly end: number;
  readonly ending: Ending;
  /** The number of its first line. */
  readonly line: number;
  /** The style at its start, as SGR parameters. */
  readonly sgr: string;
}

export interface LogIndex {
  /**
   * Chunks should have at most some ten thousand bytes: between chunks, the caller lets others run.
   */
  push(chunk: Uint8Array): void;
  outline(): LogOutline;
  readonly size: () => number;
}

/** Indexes a log while it is read or grows. */
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

  /** The same result as settling the segment, in a third of the time. */
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

export const styleOf = (sgr: string) => (sgr === '' ? plain : restyle(plain, sgr));

export interface Section {
  /** The line number of its header. */
  readonly line: number;
  readonly marker: Marker;
  readonly name: string;
  readonly time: number | undefined;
  /** One of its lines is `^^^ +++`. */
  readonly isOpened: boolean;
}

/** Collects facts about settled lines. */
interface LineReader {
  /** Takes whole lines, except at the end of the log. */
  read(lines: string): void;
  /** Takes whole lines that need no settling and contain no headers. */
  pass(lines: string): void;
  readonly lines: () => number;
  readonly sections: () => readonly Section[];
  readonly lastTime: () => number | undefined;
  /** A copy that continues from here. */
  fork(): LineReader;
}

/** A `Date` beyond this is invalid. */
const latest = 8.64e15;

interface State {
  lines: number;
  lastTime: number | undefined;
  readonly sections: Section[];
}

/** Further headers become plain lines, because a page with so many sections is useless. */
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

/** Those of the given lines that are in a segment, whose bytes are given. */
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

/** The offset after `count` lines, or the end. */
function startOfLine(lines: string, count: number): number {
  let at = 0;
  for (let line = 0; line < count && at < lines.length; line++) at = lineEnd(lines, at);
  return at;
}

/** The segments that contain some of the lines. */
export function segmentsOf(segments: readonly Segment[], { from, to }: Lines): Segment[] {
  return segments.filter(
    ({ line }, index) => line < to && (segments[index + 1]?.line ?? Infinity) > from,
  );
}

export interface Match {
  readonly line: number;
  readonly text: string;
}

/** The lines of a segment that contain a text, ignoring case and colors. */
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

/**
 * Keeps the length, like the script of the page; `İ` is the only character that would become
 * longer.
 */
const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();
