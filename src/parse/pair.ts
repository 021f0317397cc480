/** `KEY=VALUE` arguments of repeatable flags. */
import { usageError } from '../errors.ts';

/** Key and value, parted at the first `=`; `flag` is named in the error. */
export function pair(text: string, flag: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`${flag} takes KEY=VALUE, not ${JSON.stringify(text)}`);
}

/** All of them in order; of one key the last value holds. */
export const pairs = (texts: readonly string[], flag: string): Record<string, string> =>
  Object.fromEntries(texts.map((text) => pair(text, flag)));
