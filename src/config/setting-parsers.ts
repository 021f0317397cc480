import { usageError } from '../errors.ts';
import { parseDuration } from '../parse/flag-values.ts';
import type { SourcedValue } from './sources.ts';
import type { Env } from '../common/env.ts';
import { type OutputFormat, checkFormat } from '../parse/output-format.ts';
import type { GlobalFlags } from './settings.ts';

/** Parses a variable. Empty, `0` and `false` mean off. */
export const isOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());

/** The output format. `--jq` implies JSON except for `jsonl`. Exit code 2 for unknown formats. */
export function outputFormat(
  flags: GlobalFlags,
  found: SourcedValue | undefined,
): { value: OutputFormat; source: string } | undefined {
  const value = found && checkFormat(found.value, found.source);
  if (flags.json === true && flags.output !== undefined && flags.output !== 'json') {
    throw usageError(`--json and --output ${flags.output} cannot be used together`);
  }
  if (flags.jq === undefined || value === 'jsonl') {
    return found && value && { value, source: found.source };
  }
  return { value: 'json', source: 'flag --jq' };
}

export function splitFields(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) throw usageError('--fields has no field name');
  return names;
}

export function timeoutOf(flags: GlobalFlags, env: Env): { value: number; source: string } {
  const text = env['CICTL_REQUEST_TIMEOUT'];
  const found =
    flags.requestTimeout !== undefined
      ? { value: flags.requestTimeout, source: 'flag --request-timeout' }
      : text
        ? { value: parseDuration(text, 'CICTL_REQUEST_TIMEOUT'), source: 'CICTL_REQUEST_TIMEOUT' }
        : { value: 30_000, source: 'default' };
  if (found.value > 0) return found;
  throw usageError(`the request timeout must be greater than zero (${found.source})`);
}

export interface PagerSetting {
  readonly command: string;
  /** Whether `CICTL_PAGER` set this pager. If so, even short output is paged. */
  readonly isOwn: boolean;
}

/** `CICTL_PAGER`, `PAGER` or `less`. An empty value or `cat` disables the pager. */
export function pagerOf(env: Env): PagerSetting | undefined {
  const own = env['CICTL_PAGER']?.trim();
  const command = own ?? (env['PAGER'] ?? 'less -FRX').trim();
  return command === '' || command === 'cat' ? undefined : { command, isOwn: own !== undefined };
}
