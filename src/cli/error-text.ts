import { isOn } from '../config/setting-parsers.ts';
import { toJson, toText } from '../errors.ts';
import { cleanText, escapeJson } from '../common/untrusted-text.ts';
import type { Secrets } from '../terminal/secrets.ts';
import { wantsJson } from './parse.ts';
import type { Flag } from './program.ts';
import type { Env } from '../common/env.ts';

export interface ErrorContext {
  readonly flags: readonly Flag[];
  readonly env: Env;
  readonly secrets: Secrets;
  readonly isTerminal?: boolean | undefined;
}

/**
 * Returns an error message with a trailing newline, or one JSON object if JSON was requested. Only
 * `--debug` adds the stack.
 */
export function errorText(
  error: unknown,
  { flags, env, secrets, isTerminal = false }: ErrorContext,
): string {
  const printable = (text: string): string => secrets.redact(cleanText(text));
  const isDebug = flags.some(({ key }) => key === 'debug') || isOn(env['CICTL_DEBUG']);
  const stack = isDebug && error instanceof Error ? `${printable(error.stack ?? '')}\n` : '';
  const text =
    !isTerminal && wantsJson(flags, env)
      ? escapeJson(toJson(error, (part) => secrets.redact(part)))
      : toText(error, printable);
  return `${stack}${text}\n`;
}
