/** How a command line that failed is reported. */
import { isOn } from '../config/setting-parsers.ts';
import { toJson, toText } from '../errors.ts';
import { cleanText, escapeJson } from '../render/text.ts';
import type { Secrets } from '../terminal/secrets.ts';
import { wantsJson } from './parse.ts';
import type { Flag } from './program.ts';
import type { Env } from '../env.ts';

export interface ErrorContext {
  /** Those of the command line, as far as it could be read. */
  readonly flags: readonly Flag[];
  readonly env: Env;
  readonly secrets: Secrets;
}

/**
 * The text for standard error, its newline included: the error in the user's terms, under JSON as
 * one object on the last line. The stack precedes it only under `--debug`.
 */
export function errorText(error: unknown, { flags, env, secrets }: ErrorContext): string {
  const printable = (text: string): string => secrets.redact(cleanText(text));
  const isDebug = flags.some(({ key }) => key === 'debug') || isOn(env['CICTL_DEBUG']);
  const stack = isDebug && error instanceof Error ? `${printable(error.stack ?? '')}\n` : '';
  const text = wantsJson(flags, env)
    ? escapeJson(toJson(error, (part) => secrets.redact(part)))
    : toText(error, printable);
  return `${stack}${text}\n`;
}
