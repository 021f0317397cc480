/** Checks flags that select an output file, a format or data. */
import { isFromFlag } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';

export const standardOutput = '-';

export function checkOutFile(flag: string, name: string | undefined): void {
  if (name === '') throw usageError(`${flag} requires a file`);
}

/** A directory called `-` must be written as `./-`. */
export function checkOutFolder(flag: string, name: string | undefined): void {
  if (name === '' || name === standardOutput)
    throw usageError(`${flag} must be a directory, not ${name === '' ? '""' : name}`);
}

/**
 * Returns the flag that requests data instead of a page, or undefined. An output format from the
 * profile or the environment does not prevent a page, but a flag does.
 */
export function dataFlag({ settings }: Pick<Context, 'settings'>): string | undefined {
  if (settings.jq !== undefined) return '--jq';
  if (settings.fields !== undefined) return '--fields';
  if (!isFromFlag(settings, 'output')) return undefined;
  return settings.output === 'json' ? '--json' : `-o ${settings.output ?? ''}`;
}

/**
 * The format of a command that has its own `--format`. `--json` and `-o json` select its `json`
 * format; any other `-o` is rejected.
 */
export function ownFormat<F extends string>(
  format: F | undefined,
  json: F,
  { settings }: Pick<Context, 'settings'>,
): F | undefined {
  const { output } = settings;
  if (!isFromFlag(settings, 'output')) return format ?? (output === 'json' ? json : undefined);
  if (output !== 'json')
    throw usageError(`this command does not support -o ${output}; use --format`);
  if (format !== undefined && format !== json)
    throw usageError(`--json and --format ${format} cannot be used together`);
  return json;
}
