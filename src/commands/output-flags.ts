/** Flags that name where output goes, and those that exclude them. */
import { isFromFlag } from '../config/setting-origins.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';

/** What names standard output where a file is written. */
export const standardOutput = '-';

/** Code 2, naming the flag, for an empty name. */
export function checkOutFile(flag: string, name: string | undefined): void {
  if (name === '') throw usageError(`${flag} takes a file, not ""`);
}

/** Code 2 for what is no folder: one that is named `-` is written `./-`. */
export function checkOutFolder(flag: string, name: string | undefined): void {
  if (name === '' || name === standardOutput)
    throw usageError(`${flag} takes a folder, not ${name === '' ? '""' : name}`);
}

/**
 * The flag that asks for data in place of a page: a page overrides an output format of the profile or the
 * environment, not one of a flag.
 */
export function dataFlag({ settings }: Pick<Context, 'settings'>): string | undefined {
  if (settings.jq !== undefined) return '--jq';
  if (settings.fields !== undefined) return '--fields';
  if (!isFromFlag(settings, 'output')) return undefined;
  return settings.output === 'json' ? '--json' : `-o ${settings.output ?? ''}`;
}

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
