import type { Command } from '../command/command.ts';
import { globalOptions } from './globals.ts';
import { fieldsApart, fieldsBehindJson } from './json-fields.ts';
import { optionsOf, readCommandLine, type CommandLine, type Flag } from './program.ts';
import type { Entry } from './tree.ts';
import { incompleteCommand } from './usage-errors.ts';
import { argumentValues, optionValues } from './values.ts';
import type { Env } from '../common/env.ts';
import type { GlobalFlags } from '../config/settings.ts';

/** The parsed command line. */
export type Invocation =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly topic: readonly string[] }
  | {
      readonly kind: 'run';
      readonly entry: Entry;
      readonly globals: GlobalFlags;
      readonly input: Record<string, unknown>;
    };

/**
 * Reads a command line. Throws a usage error (code 2) for unknown commands and flags, for missing,
 * superfluous or malformed values.
 */
export const parse = (args: readonly string[]): Invocation => toInvocation(readCommandLine(args));

/** `--help` works whatever else is wrong with the command line. */
export function toInvocation(line: CommandLine): Invocation {
  const { entry, flags, path, error, nodeFlag } = line;
  if (nodeFlag !== undefined) throw nodeFlag;
  // For a mistyped command, the help of another does not help.
  if (entry === undefined && error !== undefined) throw error;
  const asked = flags.map(({ key }) => key);
  if (asked.includes('help')) return { kind: 'help', topic: path };
  if (asked.includes('version')) return { kind: 'version' };
  const apart = fieldsBehindJson(line);
  if (apart !== undefined) throw fieldsApart(apart);
  if (error !== undefined) throw error;
  if (entry === undefined && path.length === 0) return { kind: 'help', topic: [] };
  if (entry === undefined) throw incompleteCommand(path);
  const values = optionValues(flags, optionsOf(entry.command));
  const input = { ...values, ...argumentValues(entry.command, line) };
  return { kind: 'run', entry, globals: globalValues(values, entry.command), input };
}

/** Without those that the command declares itself (`--org`, repeatable). */
function globalValues(values: Record<string, unknown>, { options }: Command): GlobalFlags {
  const keys = Object.keys(globalOptions).filter((key) => !Object.hasOwn(options, key));
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}

/** Whether errors are reported as JSON: `flags` are those that were read, of a wrong line too. */
export function wantsJson(flags: readonly Flag[], env: Env): boolean {
  const last = (wanted: string): string | undefined =>
    flags.findLast(({ key }) => key === wanted)?.value;
  if (flags.some(({ key }) => key === 'json' || key === 'jq')) return true;
  const output = last('output')?.toLowerCase() ?? env['CICTL_OUTPUT'] ?? '';
  return ['json', 'jsonl'].includes(output);
}
