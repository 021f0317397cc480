import { quoted } from '../../triage/quoted.ts';
import type { LogInput } from './log-request.ts';

/** Which part of a log the flags ask for, in their own words; undefined where they ask for all. */
export function partOf(input: LogInput): string | undefined {
  const parts = [
    ...values.map(([key, flag]) => valued(flag, input[key])),
    input.ignoreCase ? '-i' : '',
    input.invert ? '-v' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

const values = [
  ['group', '--group'],
  ['grep', '--grep'],
  ['after', '-A'],
  ['before', '-B'],
  ['context', '-C'],
  ['head', '--head'],
  ['tail', '--tail'],
] as const;

const valued = (flag: string, value: string | number | undefined): string =>
  value === undefined ? '' : `${flag} ${quoted(String(value))}`;
