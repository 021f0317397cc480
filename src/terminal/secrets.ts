/** What must not be read on standard error, and its replacement. */
import { base64Forms, textForms } from '../dotenv/secret.ts';

/** The secrets that this process knows so far. */
export interface Secrets {
  /** Undefined and what is too short (`shortest`) are left out. */
  add(...values: readonly (string | undefined)[]): void;
  /**
   * The text with `[REDACTED]` for each of them: in place, in JSON, in a URL, quoted for a shell, in base64
   * (`Basic …`), and truncated by `…`. Passwords within URLs are replaced whether they are known or not.
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
  [...new Set([...secrets].flatMap((one) => [...textForms(one), ...base64Forms(one)]))]
    .filter((form) => form.length >= shortest)
    .sort((a, b) => b.length - a.length);

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
