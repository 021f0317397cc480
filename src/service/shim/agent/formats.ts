/** How the subcommands about variables print. */
import { AgentError, type Given } from './command.ts';

/** The value of a flag that must be one of these. Throws `AgentError`. */
export function formatOf<T extends string>(given: Given, flag: string, choices: readonly T[]): T {
  const text = given.text(flag);
  const found = choices.find((choice) => choice === text);
  if (found === undefined)
    throw new AgentError(`--${flag} must be one of ${choices.join(', ')}, not "${text}"`);
  return found;
}

export const asJson = (format: string, value: unknown): string =>
  JSON.stringify(value, null, format === 'json-pretty' ? 2 : 0);

/** By name, as the public agent prints them. */
export const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
