/** Secrets of the environment do not leave the job by what it sends. */
import { env } from 'node:process';
import type { Given } from './command.ts';

/** Characters; a shorter value would take words away that are no secret. */
const shortest = 6;

/** The text with `[REDACTED]` in place of the values of secret variables. */
export function redact(given: Given, text: string): string {
  const values = secretsOf(given, env)
    .map(([, value]) => value)
    .sort((a, b) => b.length - a.length);
  return values.reduce((rest, value) => rest.replaceAll(value, '[REDACTED]'), text);
}

/** Secret variables with their values, those that are too short left out. */
export function secretsOf(
  given: Given,
  variables: Readonly<Record<string, string | undefined>>,
): [name: string, value: string][] {
  const isSecret = matcher(given.text('redacted-vars'));
  return Object.entries(variables)
    .filter(([name]) => isSecret(name))
    .map(([name, value = '']): [string, string] => [name, value.trim()])
    .filter(([, value]) => value.length >= shortest);
}

/** Patterns with `*`, separated by commas. */
export function matcher(patterns: string): (name: string) => boolean {
  const sources = patterns
    .split(',')
    .filter((pattern) => pattern !== '')
    .map((pattern) => pattern.trim().split('*').map(escape).join('.*'));
  const all = new RegExp(`^(?:${sources.join('|')})$`, 'i');
  return (name) => sources.length > 0 && all.test(name);
}

const escape = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
