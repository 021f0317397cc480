/**
 * A value of JSON as YAML where nobody can read it as anything else, as nearly all are; undefined
 * where that needs a closer look. It is what the library makes of them.
 */
export function plainScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return plainText(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || Object.is(value, -0)) return undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function plainText(text: string): string | undefined {
  if (text === '' || time.test(text)) return `"${text}"`;
  if (uuid.test(text)) return text;
  // Longer texts have forms of their own.
  if (text.length > 5000 || !letters.test(text) || words.test(text)) return undefined;
  return separators.test(text) ? undefined : text;
}

/** A reader of 1.1 would take it for a date. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** No number and no date begins with a letter, and all of ASCII can be printed. */
const letters = /^[A-Za-z][ -~]*$/;
/** Switches and nothing in YAML 1.1. */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** What parts a name from its value, or begins a comment. */
const separators = /: | #|[ :-]$/;
