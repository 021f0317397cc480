import { plain, restyle, styleAfter, type Style } from './style.ts';
import {
  findSegments,
  usualLimits,
  type Ending,
  type SegmentBytes,
  settleSegment,
} from './segments.ts';
import { latestTime, startOfText, markStart } from './time-marks.ts';
import { opensSection, readHeader, type Marker } from './sections.ts';
import { lineEnd, toText } from './text.ts';
import type { SettledLines } from './html/window-lines.ts';
import type { Lines } from './plan-window.ts';
import { settle } from './settle.ts';

/** The offsets of the lines of a log. Lines are numbered after settling, from 1. */
export interface LogOutline extends Readonly<Facts> {
  /** In bytes. */
  readonly size: number;
  /** The last segment is incomplete */
  readonly segments: readonly Segment[];
}

interface Facts {
  lines: number;
  /** The time of the last line that has a time */
  lastTime: number | undefined;
  readonly sections: Section[];
}

export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly ending: Ending;
  readonly line: number;
  /** The style at the start, as SGR parameters */
  readonly sgr: string;
}

export type LogIndex = ReturnType<typeof createLogIndex>;

export function createLogIndex(limits = usualLimits) {
  const finder = findSegments(limits);
  const segments: Segment[] = [];
  const facts: Facts = { lines: 0, sections: [], lastTime: undefined };
  let sgr = '';
  let size = 0;

  return { push, outline, size: (): number => size };

  /**
   * The caller does other work between chunks, so a chunk should be at most about ten kilobytes.
   */
  function push(chunk: Uint8Array): void {
    size += chunk.length;
    for (const segment of finder.push(chunk)) {
      segments.push(describe(segment));
      sgr = (segment.isPlain ? readPlain(segment) : readSettled(segment)).sgr;
    }
  }

  function outline(): LogOutline {
    const rest = finder.rest();
    const all = { ...facts, sections: [...facts.sections] };
    addLines(all, settleSegment(rest.bytes, { ending: 'open', before: styleOf(sgr) }).lines);
    return { size, segments: [...segments, describe(rest)], ...all };
  }

  /** Has the same result as settling the segment, but is three times as fast. */
  function readPlain({ bytes }: SegmentBytes): Style {
    const text = bytes.toString('latin1');
    addPlainLines(facts, text);
    return styleAfter(styleOf(sgr), text);
  }

  function readSettled(segment: SegmentBytes): Style {
    const { lines, after } = settleSegment(segment.bytes, { ...segment, before: styleOf(sgr) });
    addLines(facts, lines);
    return after;
  }

  function describe({ start, end, ending }: SegmentBytes): Segment {
    return { start, end, ending, line: facts.lines + 1, sgr };
  }
}

export const styleOf = (sgr: string): Style => (sgr === '' ? plain : restyle(plain, sgr));

export interface Section {
  readonly line: number;
  readonly marker: Marker;
  readonly name: string;
  readonly time: number | undefined;
  /** Whether one of the section's lines is `^^^ +++` */
  readonly isOpened: boolean;
}

function addLines(facts: Facts, lines: string): void {
  const bytes = Buffer.from(lines, 'latin1');
  for (let at = 0; at < lines.length; at = lineEnd(lines, at)) {
    facts.lines += 1;
    const { time, text, mayBeMarker } = startOfText(bytes, at);
    facts.lastTime = time ?? facts.lastTime;
    if (mayBeMarker) addMarker(facts, lines.slice(text, lineEnd(lines, at)), time);
  }
}

/** Adds whole lines that need no settling and contain no headers. */
function addPlainLines(facts: Facts, lines: string): void {
  for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) facts.lines += 1;
  const mark = lines.lastIndexOf(markStart);
  const time = mark < 0 ? NaN : parseInt(lines.slice(mark + markStart.length, mark + 30), 10);
  if (time <= latestTime) facts.lastTime = time;
}

/** Further headers become ordinary lines, because a page with more sections is not usable. */
const mostSections = 10_000;

function addMarker({ lines, sections }: Facts, text: string, time: number | undefined): void {
  const header = readHeader(text);
  if (header !== undefined && sections.length < mostSections)
    sections.push({ ...header, line: lines, time, isOpened: false });
  const last = sections.at(-1);
  if (header === undefined && last !== undefined && opensSection(text))
    sections[sections.length - 1] = { ...last, isOpened: true };
}

/** Settles a segment, given its bytes. Returns the requested lines that are in the segment. */
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

function startOfLine(lines: string, count: number): number {
  let at = 0;
  for (let line = 0; line < count && at < lines.length; line++) at = lineEnd(lines, at);
  return at;
}

export function segmentsOf(segments: readonly Segment[], { from, to }: Lines): Segment[] {
  return segments.filter(
    ({ line }, index) => line < to && (segments[index + 1]?.line ?? Infinity) > from,
  );
}

export interface Match {
  readonly line: number;
  readonly text: string;
}

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

/** Lower-cases text without changing its length, as in the page's script (`İ` would grow). */
const lower = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();
