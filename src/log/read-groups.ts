import { oneMarkALine, splitMark } from './time-marks.ts';
import { readHeader } from './sections.ts';
import { settle } from './settle.ts';
import { chain } from './stage.ts';
import { eachLine } from './text.ts';

/** A section of a log. Times are nanoseconds since the epoch. */
export interface Group {
  readonly name: string;
  /** From the mark of its header line, else from the service's header times. */
  readonly start?: bigint;
  /** To the next header, or to the last mark of the log. */
  readonly duration?: bigint;
}

export interface GroupTimes {
  /** The service's `header_times`, asked for when a header has no mark. */
  readonly headerTimes: () => Promise<readonly bigint[]>;
  /** When the log ended; for the last section of one without marks. */
  readonly end?: bigint | undefined;
}

interface Open {
  readonly name: string;
  readonly start: bigint | undefined;
}

/** The sections of a log in their order, each as soon as it has ended. */
export async function* readGroups(
  source: AsyncIterable<Uint8Array>,
  times: GroupTimes,
): AsyncGenerator<Group, void, undefined> {
  let open: Open | undefined;
  let count = 0;
  let last: bigint | undefined;

  for await (const { name, time } of markedLines(source)) {
    if (name !== undefined) {
      const start = time ?? (await times.headerTimes())[count];
      if (open !== undefined) yield close(open, start ?? last);
      open = { name, start };
      count += 1;
      last = undefined;
    }
    last = time ?? last;
  }
  if (open !== undefined) yield close(open, last ?? times.end);
}

function close({ name, start }: Open, end: bigint | undefined): Group {
  if (start === undefined) return { name };
  if (end === undefined) return { name, start };
  // The clock of an agent may be set back while a job runs.
  return { name, start, duration: end > start ? end - start : 0n };
}

interface Line {
  /** Of a header line. */
  readonly name: string | undefined;
  readonly time: bigint | undefined;
}

/** The lines that say something: headers, and what has a time. */
async function* markedLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const stage = chain(settle({ marks: true }), oneMarkALine());
  for await (const chunk of source) yield* headerLines(stage.push(chunk));
  yield* headerLines(stage.end());
}

/** Of the times between two headers the last is enough. */
function* headerLines(lines: string): Generator<Line> {
  let last: number | undefined;
  for (const line of eachLine(lines)) {
    const { time, rest } = splitMark(line);
    const header = readHeader(rest);
    if (header !== undefined) {
      if (last !== undefined) yield { name: undefined, time: nanoseconds(last) };
      yield { name: header.name, time: nanoseconds(time) };
      last = undefined;
    } else last = time ?? last;
  }
  if (last !== undefined) yield { name: undefined, time: nanoseconds(last) };
}

const nanoseconds = (milliseconds: number | undefined): bigint | undefined =>
  milliseconds === undefined ? undefined : BigInt(milliseconds) * 1_000_000n;
