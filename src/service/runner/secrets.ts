import { looksSecret } from '../../dotenv/secret.ts';
import type { JobSpec } from '../runner-port.ts';

/** Bytes; a shorter value also appears in text that is no secret. */
const shortest = 6;

/** The values that the log of a job must not show from its start: of its variables, and given. */
export const secretsOf = (spec: Pick<JobSpec, 'env' | 'hiddenEnv' | 'secrets'>): string[] => [
  ...secretsIn({ ...spec.env, ...spec.hiddenEnv }),
  ...spec.secrets.filter((value) => value !== ''),
];

/** The values of variables with a secret-looking name. */
export const secretsIn = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables)
    .filter(([name]) => looksSecret(name))
    // A file read into a variable ends with a newline that the shell drops when it is printed.
    .map(([, value]) => value.trim())
    .filter((value) => Buffer.byteLength(value) >= shortest);
