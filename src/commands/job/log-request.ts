import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type GrepOptions, grepPattern, type GrepPattern } from '../../log/grep.ts';
import type { LogView } from '../../log/log-pipeline.ts';
import { ownFormat } from '../output-flags.ts';
import type { jobLog, LogFormat } from './index.ts';
import { quoted } from '../../triage/quoted.ts';

export type LogInput = Input<typeof jobLog>;

/** The flags of `job log`, checked. */
export interface LogRequest extends Omit<LogView, 'format' | 'group'> {
  readonly format: LogFormat;
  /** The name of a group, or a part of it. */
  readonly groupName: string | undefined;
  /** What the page says of the part that it shows. */
  readonly part: string | undefined;
}

/** Reads the flags. Code 2, naming them, where they cannot be used together. */
export function readLogRequest(input: LogInput, context: Context): LogRequest {
  const format =
    ownFormat(input.format as LogFormat | undefined, 'json', context) ??
    usualFormat(input, context);
  checkFlags(input, format);
  const { head, tail } = input;
  return {
    format,
    groupName: input.group,
    part: partOf(input),
    timestamps: input.timestamps as LogView['timestamps'],
    head: atLeastZero(head, '--head'),
    tail: atLeastZero(tail, '--tail'),
    grep: readGrep(input),
  };
}

/** Colours, only on a terminal that has them. */
function usualFormat({ out }: LogInput, context: Context): LogFormat {
  const coloured = context.out.color.bold('x') !== 'x';
  return context.out.isTerminal && coloured && out === undefined ? 'ansi' : 'text';
}

function checkFlags(input: LogInput, format: LogFormat): void {
  const given = (names: readonly (keyof LogInput)[]): string[] =>
    names.filter((name) => input[name] !== undefined && input[name] !== false);
  const exclude = (first: string, others: readonly string[]): void => {
    const [other] = others;
    if (other !== undefined) throw usageError(`${first} and --${other} cannot be used together`);
  };
  const parts = given(['group', 'grep', 'head', 'tail']);
  if (format === 'json')
    exclude('--format json', [...given(['follow', 'timestamps', 'groups']), ...parts]);
  if (format === 'raw' || format === 'html')
    exclude(`--format ${format}`, given(['follow', 'timestamps', 'groups']));
  if (input.groups) exclude('--groups', [...given(['timestamps', 'failed', 'out']), ...parts]);
  if (input.follow) exclude('--follow', given(['groups', 'group', 'head', 'failed', 'out']));
  if (input.timeout !== undefined && !input.follow) throw usageError('--timeout needs --follow');
  if (input.failed && input.job !== undefined)
    throw usageError('JOB and --failed cannot be used together');
  if (input.server && format !== 'html') throw usageError('--server needs --format html');
  if (input.server) exclude('--server', parts);
  const [alone] = input.grep === undefined ? given(grepFlags) : [];
  if (alone !== undefined) throw usageError(`${flags[alone] ?? alone} needs --grep`);
}

const grepFlags = ['after', 'before', 'context', 'ignoreCase', 'invert'] as const;
const flags: Readonly<Record<string, string>> = {
  after: '-A',
  before: '-B',
  context: '-C',
  ignoreCase: '-i',
  invert: '-v',
};

function readGrep(input: LogInput): GrepOptions | undefined {
  if (input.grep === undefined) return undefined;
  return {
    pattern: readPattern(input.grep, input.ignoreCase),
    invert: input.invert,
    before: atLeastZero(input.before ?? input.context, '-B'),
    after: atLeastZero(input.after ?? input.context, '-A'),
  };
}

function readPattern(source: string, ignoreCase: boolean): GrepPattern {
  try {
    return grepPattern(source, ignoreCase);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    throw usageError(`--grep is no valid regular expression: ${reason}`);
  }
}

function atLeastZero(count: number | undefined, flag: string): number | undefined {
  if (count !== undefined && count < 0) throw usageError(`${flag} must not be negative: ${count}`);
  return count;
}

/** Which part of a log the flags ask for, in their own words; undefined where they ask for all. */
function partOf(input: LogInput): string | undefined {
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
