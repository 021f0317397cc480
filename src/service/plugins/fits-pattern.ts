import { matchesRegex } from '../pipeline/regex/match-regex.ts';
import { parseRegex, type Regex } from '../pipeline/regex/parse-regex.ts';

/**
 * Whether the text has a place that a pattern of a JSON schema fits; null where the pattern cannot be
 * read, so that nobody knows. No pattern of a plugin makes the service stand still.
 */
export function fitsPattern(pattern: string, text: string): boolean | null {
  const regex = read(pattern);
  return regex === null ? null : matchesRegex(regex, text);
}

function read(pattern: string): Regex | null {
  try {
    return parseRegex(pattern, false, (message) => {
      throw new Error(message);
    });
  } catch {
    return null;
  }
}
