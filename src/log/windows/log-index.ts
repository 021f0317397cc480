import { plain, restyle, styleAfter, type Style } from '../style.ts';
import { findSegments, usualLimits, type Ending, type SegmentBytes } from './find-segments.ts';
import { lineReader, type Section } from './read-lines.ts';
import { settleSegment } from './settle-segment.ts';

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
