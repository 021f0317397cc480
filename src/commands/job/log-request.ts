import type { Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type GrepOptions, grepPattern, type GrepPattern } from '../../log/grep.ts';
import type { LogView } from '../../log/log-pipeline.ts';
import { quoted } from '../../triage/quoted.ts';
import { ownFormat } from '../output-flags.ts';
import type { jobLog, LogFormat } from './index.ts';

export type LogInput = Input<typeof jobLog>;

export interface LogRequest extends Omit<LogView, 'format' | 'group'> {
  readonly format: LogFormat;
  readonly groupName: string | undefined;
  /** The flags that select a part of the log, for an HTML page; undefined for the whole log. */
  readonly part: string | undefined;
}

/** Exit code 2 for flags that cannot be used together. */
export function readLogRequest(input: LogInput, context: Context): LogRequest {
  const { isTerminal, color } = context.out;
  const isColored = isTerminal && color.bold('x') !== 'x' && input.out === undefined;
  const format =
    ownFormat(input.format as LogFormat | undefined, 'json', context) ??
    (isColored ? 'ansi' : 'text');
  checkFlags(input, format);
  return {
    format,
    groupName: input.group,
    part: partOf(input),
    timestamps: input.timestamps as LogView['timestamps'],
    head: notNegative(input.head, '--head'),
    tail: notNegative(input.tail, '--tail'),
    grep: readGrep(input),
  };
}

function checkFlags(input: LogInput, format: LogFormat): void {
  const given = <K extends keyof LogInput>(names: readonly K[]): K[] =>
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
  if (input.timeout !== undefined && !input.follow) throw usageError('--timeout requires --follow');
  if (input.failed && input.job !== undefined)
    throw usageError('JOB and --failed cannot be used together');
  if (input.server && format !== 'html') throw usageError('--server requires --format html');
  if (input.server) exclude('--server', parts);
  const [option] = given(['after', 'before', 'context', 'ignoreCase', 'invert']);
  if (input.grep === undefined && option !== undefined)
    throw usageError(`${flags[option]} requires --grep`);
}

const flags = {
  ...{ group: '--group', grep: '--grep', after: '-A', before: '-B', context: '-C' },
  ...{ head: '--head', tail: '--tail', ignoreCase: '-i', invert: '-v' },
};

function readGrep(input: LogInput): GrepOptions | undefined {
  if (input.grep === undefined) return undefined;
  return {
    pattern: readPattern(input.grep, input.ignoreCase),
    invert: input.invert,
    before: notNegative(input.before ?? input.context, '-B'),
    after: notNegative(input.after ?? input.context, '-A'),
  };
}

function readPattern(source: string, ignoreCase: boolean): GrepPattern {
  try {
    return grepPattern(source, ignoreCase);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : '';
    throw usageError(`--grep is not a valid regular expression: ${reason}`);
  }
}

function notNegative(count: number | undefined, flag: string): number | undefined {
  if (count !== undefined && count < 0) throw usageError(`${flag} must not be negative: ${count}`);
  return count;
}

function partOf(input: LogInput): string | undefined {
  const parts = (Object.keys(flags) as (keyof typeof flags)[]).flatMap((key) => {
    const value = input[key];
    if (value === undefined || value === false) return [];
    return [value === true ? flags[key] : `${flags[key]} ${quoted(String(value))}`];
  });
  return parts.length === 0 ? undefined : parts.join(' ');
}
