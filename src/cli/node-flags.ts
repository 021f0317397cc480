import { usageError } from '../errors.ts';

/**
 * Refuses the flag of Node that Node takes wherever it stands before `--`: it has read the file by
 * now, and obeyed `NODE_OPTIONS` in it. The error says so.
 */
export function nodeFlagError(args: readonly string[]): Error | undefined {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const flag = own.map((arg) => /^--env-file(?:-if-exists)?(?==|$)/.exec(arg)?.[0]).find(Boolean);
  if (flag === undefined) return undefined;
  return usageError(`${flag} is read by Node itself, before cictl starts: use --env-from FILE`);
}
