import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { readDotenv } from '../dotenv/read.ts';
import { pairs } from '../parse/pair.ts';
import { readFileText } from './read-value.ts';

/**
 * The variables of `--env-from` and, over them, of `--env`: `K=V`, or `K` alone for its value in
 * the environment of this process. Code 2 for what is malformed or not there.
 */
export async function givenVariables(
  { env, envFrom }: { readonly env: readonly string[]; readonly envFrom: string | undefined },
  context: Context,
): Promise<Record<string, string>> {
  if (envFrom === '') throw usageError('--env-from needs a value: --env-from FILE');
  const fromFlags = env.map((text) => (text.includes('=') ? text : inherited(text, context)));
  const fromFile =
    envFrom === undefined ? {} : readDotenv(await readFileText(envFrom, context), envFrom);
  return { ...fromFile, ...pairs(fromFlags, '--env') };
}

function inherited(name: string, { env }: Context): string {
  const value = env[name];
  if (value === undefined) throw usageError(`--env ${name}: no such variable in the environment`);
  return `${name}=${value}`;
}
