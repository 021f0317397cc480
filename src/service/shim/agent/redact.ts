import { env } from 'node:process';
import { looksSecret, base64Forms, textForms } from '../../../dotenv/secret.ts';
import type { Given } from './command.ts';

/** Minimum length of a secret. Shorter values are too likely to appear in other text. */
const shortest = 6;

export function redact(given: Given, text: string): string {
  const forms = secretsOf(given, env)
    .flatMap(([, value]) => [...textForms(value), ...base64Forms(value)])
    .sort((a, b) => b.length - a.length);
  return forms.reduce((rest, form) => rest.replaceAll(form, '[REDACTED]'), text);
}

export function secretsOf(
  given: Given,
  variables: Readonly<Record<string, string | undefined>>,
): [name: string, value: string][] {
  const isSecret = secretNames(given);
  return Object.entries(variables)
    .filter(([name]) => isSecret(name))
    .map(([name, value = '']): [string, string] => [name, value.trim()])
    .filter(([, value]) => value.length >= shortest);
}

/** Returns whether a name is secret: it matches `--redacted-vars` or, by default, looks secret. */
export const secretNames = (given: Given): ((name: string) => boolean) =>
  given.has('redacted-vars') ? matcher(given.text('redacted-vars')) : looksSecret;

function matcher(patterns: string): (name: string) => boolean {
  const sources = patterns
    .split(',')
    .filter((pattern) => pattern !== '')
    .map((pattern) => pattern.trim().split('*').map(escape).join('.*'));
  const all = new RegExp(`^(?:${sources.join('|')})$`, 'i');
  return (name) => sources.length > 0 && all.test(name);
}

const escape = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
