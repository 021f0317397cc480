import { base64Forms, textForms } from '../dotenv/secret.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/** Redacting shorter values would garble messages, and such secrets are easy to guess anyway. */
const shortest = 6;

const replacement = '[REDACTED]';

export function createSecrets() {
  const known = new Set<string>();
  let forms: readonly string[] | undefined;
  return {
    add(...values: readonly (string | undefined)[]): void {
      for (const value of values) {
        if (value === undefined || value.trim().length < shortest) continue;
        known.add(value.trim());
        forms = undefined;
      }
    },
    /** Redacts secrets (also in escaped, base64 or truncated form) and all passwords in URLs. */
    redact(text: string): string {
      forms ??= allForms(known);
      return withoutCutOff(replaceAll(withoutPasswords(text), forms), forms);
    },
  };
}

/** The longest forms come first, so that no part of overlapping secrets remains. */
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

/** Removes the start of a secret from the end of a truncated message. */
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
