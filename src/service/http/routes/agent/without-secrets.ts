import type { OwnJob } from './job-route.ts';

/** Characters; a shorter value would take words away that are no secret. */
const shortest = 6;

/**
 * A text that a job leaves with its build, with `[REDACTED]` in place of the secrets of the build: a job
 * may have them in variables of any name, or from `secret get`, where its agent knows nothing of them.
 */
export function withoutSecrets(own: OwnJob, text: string): string {
  return own
    .usedSecrets()
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '[REDACTED]'), text);
}
