import { looksSecret } from '../../dotenv/secret.ts';
import type { JobSpec } from '../runner-port.ts';

/** Bytes; a shorter value would take words out of the log that are no secret. */
const shortest = 6;

/**
 * The values that the log of a job must not show: those of variables with a secret-looking name,
 * and those given.
 */
export function secretsOf(spec: Pick<JobSpec, 'env' | 'hiddenEnv' | 'secrets'>): Buffer[] {
  const variables = Object.entries({ ...spec.env, ...spec.hiddenEnv });
  const values = variables
    .filter(([name]) => looksSecret(name))
    // A file read into a variable ends with a newline that the shell drops when it is printed.
    .map(([, value]) => value.trim())
    .filter((value) => Buffer.byteLength(value) >= shortest);
  const listed = spec.secrets.filter((value) => value !== '');
  return [...new Set([...values, ...listed])].map((value) => Buffer.from(value));
}
