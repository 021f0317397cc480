/** The command line that was meant by one that is refused. */
import { CictlError, usageError } from '../../errors.ts';
import { fieldsBehindJson } from '../json-fields.ts';
import { toInvocation } from '../parse.ts';
import { readCommandLine } from '../program.ts';
import { meantArguments } from './meant-arguments.ts';
import { meantFlag } from './meant-flag.ts';
import { meantWords, otherWords, type Rewritten } from './meant-words.ts';
import { shellWord } from './shell-word.ts';

/** One slip a round: nobody makes more of them in one line. */
const rounds = 6;

/**
 * The error of a command line with the whole line that was meant as its hint, where one is known;
 * else the error as it is.
 */
export function withMeant(error: unknown, args: readonly string[]): unknown {
  if (!(error instanceof CictlError) || error.kind !== 'usage' || args.length > 200) return error;
  const meant = meantLine(args);
  if (meant === undefined) return error;
  const why = meant.why === undefined ? '' : `: ${meant.why}`;
  const message = error.message.replace(verbList, '');
  return usageError(`${message}${why}`, ['cictl', ...meant.args.map(shellWord)].join(' '));
}

/** The same for the words of `cictl help`. */
export function withMeantHelp(error: unknown, topic: readonly string[]): unknown {
  const meant = meantLine(topic);
  const { entry } = readCommandLine(meant?.args ?? []);
  if (!(error instanceof CictlError) || entry === undefined) return error;
  return usageError(error.message, `cictl help ${entry.command.name}`);
}

/** The line that was meant says more. */
const verbList = /; [\w -]+ has [a-z, -]+$/;

/** Undefined where nothing is known of it. Exported for its tests. */
export function meantLine(args: readonly string[]): Rewritten | undefined {
  let line: Rewritten = { args };
  for (let round = 0; round < rounds; round++) {
    const next = rewritten(line.args);
    if (next === undefined) break;
    line = { ...line, ...next };
  }
  if (line.args === args) return undefined;
  return isRight(line.args) ? line : helpOf(line);
}

function rewritten(args: readonly string[]): Rewritten | undefined {
  const line = readCommandLine(args);
  if (line.nodeFlag !== undefined) return undefined;
  const fields = fieldsBehindJson(line);
  if (fields !== undefined) return { args: joined(args, fields) };
  const plain = withPlainDashes(args);
  if (plain !== undefined) return plain;
  if (line.entry === undefined) return turned(args) ?? meantWords(args);
  if (line.error === undefined) return undefined;
  return otherWords(args) ?? meantFlag(args, line.entry.command) ?? meantArguments(args, line);
}

/** Word processors make a long dash of two: `—state`. */
function withPlainDashes(args: readonly string[]): Rewritten | undefined {
  const long = /^[\u2013\u2014]+(?=[a-z])/i;
  if (!args.some((arg) => long.test(arg))) return undefined;
  return { args: args.map((arg) => arg.replace(long, /^.[a-z]$/i.test(arg) ? '-' : '--')) };
}

function joined(args: readonly string[], fields: string): string[] {
  const at = args.indexOf('--json');
  return [...args.slice(0, at), `--json=${fields}`, ...args.slice(at + 2)];
}

/** Flags of a command that stand before its words, or between them. */
function turned(args: readonly string[]): Rewritten | undefined {
  if (args.join() === '-v') return { args: ['--version'] };
  if (args[1]?.startsWith('-') === true && args[0]?.startsWith('-') === false)
    return behindWords(args, 1);
  if (args[0]?.startsWith('-') !== true) return undefined;
  return behindWords(args, 0);
}

/** What stands there goes to the end. */
function behindWords(args: readonly string[], from: number): Rewritten | undefined {
  for (let at = from + 1; at < Math.min(args.length, 12); at++) {
    const line = [...args.slice(0, from), ...args.slice(at), ...args.slice(from, at)];
    if (isRight(line)) return { args: line };
  }
  return undefined;
}

function isRight(args: readonly string[]): boolean {
  try {
    toInvocation(readCommandLine(args));
    return true;
  } catch {
    return false;
  }
}

/** What is left to be said, the help of the command says. */
function helpOf({ args, ...line }: Rewritten): Rewritten | undefined {
  const { entry } = readCommandLine(args);
  if (entry === undefined) return undefined;
  return { ...line, args: [...entry.command.name.split(' '), '--help'] };
}
