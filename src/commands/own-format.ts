import { isFromFlag } from '../config/is-from-flag.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';

/**
 * The format of a command that has `--format`: there `--json` (and `-o json`) means its `json`
 * format, and every other `-o` is refused.
 */
export function ownFormat<F extends string>(
  format: F | undefined,
  json: F,
  { settings }: Pick<Context, 'settings'>,
): F | undefined {
  const { output } = settings;
  if (!isFromFlag(settings, 'output')) return format ?? (output === 'json' ? json : undefined);
  if (output !== 'json') throw usageError(`this command has no -o ${output}; use --format`);
  if (format !== undefined && format !== json)
    throw usageError(`--json and --format ${format} cannot be used together`);
  return json;
}
