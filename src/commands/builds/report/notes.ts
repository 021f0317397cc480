import type { ReadResult } from '../../../triage/report.ts';
import type { ReportedLog } from './log.ts';

/** What a reader of a log has to know: that lines are left out, or why there are none. */
export function logNotes(
  result: ReadResult<ReportedLog>,
  { count, isCut }: { readonly count: number; readonly isCut: boolean },
): string[] {
  if ('error' in result) return [result.error];
  if (!isCut) return count === 0 ? ['It has no lines.'] : [];
  if (count === 0) return ['There is no room for its lines.'];
  const lines = count === 1 ? 'the last line' : `the last ${count} lines, numbered from 1`;
  return [`Earlier lines are left out${ofSize(result.value.size)}. Here are ${lines}.`];
}

const ofSize = (size: number | undefined): string =>
  size === undefined ? '' : ` of a log of ${byteWords(size)}`;

/** Of annotations that are not on the page; undefined where all are. */
export function omittedNote(count: number): string | undefined {
  if (count === 0) return undefined;
  const what = count === 1 ? '1 annotation is' : `${count} annotations are`;
  return `${what} left out: there is no room for ${count === 1 ? 'it' : 'them'}.`;
}

/** `812 bytes`, `3.4 MB`. */
export function byteWords(count: number): string {
  if (count < 1000) return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
  const [size, unit] = count < 1_000_000 ? [count / 1000, 'kB'] : [count / 1_000_000, 'MB'];
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`;
}
