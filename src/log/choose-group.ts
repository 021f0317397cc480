import { CictlError, usageError } from '../errors.ts';

/**
 * The name that `wanted` means among those of a log: itself, else the only one that contains it.
 * Code 7 when there is none, 2 when there are several.
 */
export function chooseGroup(wanted: string, names: readonly string[]): string {
  if (names.includes(wanted)) return wanted;
  const [only, ...others] = new Set(names.filter((name) => name.includes(wanted)));
  const quoted = JSON.stringify(wanted);
  if (only === undefined) throw new CictlError('not_found', `the log has no group ${quoted}`);
  if (others.length === 0) return only;
  const found = [only, ...others].map((name) => JSON.stringify(name)).join(', ');
  throw usageError(`several groups contain ${quoted}: ${found}`);
}
