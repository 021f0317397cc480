import { startOfText } from '../html/start-of-text.ts';
import { opensSection, readHeader, type Marker } from '../sections.ts';
import { lineEnd } from '../text.ts';
import { markStart } from '../time-marks.ts';

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
export interface LineReader {
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

export function lineReader(before?: State): LineReader {
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
