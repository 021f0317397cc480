/** What must not be read on standard error, and its replacement. */

/** The secrets that this process knows so far. */
export interface Secrets {
  /** Undefined and what is too short (`shortest`) are left out. */
  add(...values: readonly (string | undefined)[]): void;
  /**
   * The text with `[REDACTED]` for each of them: as it is, percent-encoded, as a JSON string has
   * it, within base64 (`Basic …`), and cut off by `…`. Passwords within addresses are replaced
   * whether they are known or not.
   */
  redact(text: string): string;
}

/**
 * Characters. A shorter value is not replaced: it stands in ordinary words, and replacing it would
 * make messages unreadable without hiding anything that could not be guessed.
 */
const shortest = 6;

const replacement = '[REDACTED]';

export function createSecrets(): Secrets {
  const known = new Set<string>();
  let forms: readonly string[] | undefined;
  return {
    add(...values) {
      for (const value of values) {
        if (value === undefined || value.trim().length < shortest) continue;
        known.add(value.trim());
        forms = undefined;
      }
    },
    redact(text) {
      forms ??= allForms(known);
      return withoutCutOff(replaceAll(withoutPasswords(text), forms), forms);
    },
  };
}

/** Longest first, so that of two that overlap nothing is left. */
const allForms = (secrets: ReadonlySet<string>): string[] =>
  [...new Set([...secrets].flatMap(formsOf))]
    .filter((form) => form.length >= shortest)
    .sort((a, b) => b.length - a.length);

function formsOf(secret: string): string[] {
  const encoded = percentEncoded(secret);
  return [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    ...withinBase64(secret),
  ];
}

/** Half a surrogate pair, which has no percent-encoding, becomes U+FFFD. */
const percentEncoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/**
 * A text stands in three ways within base64, by the bytes before it; the characters shared with its
 * neighbours are left out.
 */
function withinBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const found = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const isShared = (before + bytes.length) % 3 !== 0;
    return encoded.slice([0, 2, 3][before], isShared ? -1 : undefined);
  });
  return found.flatMap((form) => [form, form.replaceAll('-', '+').replaceAll('_', '/')]);
}

function replaceAll(text: string, forms: readonly string[]): string {
  const found = forms.filter((form) => text.includes(form));
  if (found.length === 0) return text;
  return text.replace(new RegExp(found.map(literally).join('|'), 'g'), replacement);
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Of a message that was cut, the beginning of a secret may be left. */
function withoutCutOff(text: string, forms: readonly string[]): string {
  const pieces = text.split('…');
  const last = pieces.pop();
  return [...pieces.map((piece) => withoutBeginning(piece, forms)), last].join('…');
}

function withoutBeginning(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = form.length - 1; length >= shortest; length--) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + replacement;
    }
  }
  return text;
}

const withoutPasswords = (text: string): string =>
  text.includes('@') ? text.replace(/(\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g, `$1${replacement}`) : text;
