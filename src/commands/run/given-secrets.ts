import type { Context } from '../../context.ts';
import { readDotenv } from '../../dotenv/read.ts';
import { usageError } from '../../errors.ts';
import { readFileText } from '../read-value.ts';

/**
 * The secrets of `--secret-file` and, over them, of `--secret`: each by its name from the
 * environment, else asked for on a terminal. No message shows them. Code 2 for what is not there.
 */
export async function givenSecrets(
  {
    secret,
    secretFile,
  }: { readonly secret: readonly string[]; readonly secretFile: string | undefined },
  context: Context,
): Promise<Record<string, string>> {
  const secrets =
    secretFile === undefined ? {} : readDotenv(await readFileText(secretFile, context), secretFile);
  for (const name of secret) secrets[name] = await valueOf(name, context);
  context.secrets.add(...Object.values(secrets));
  return secrets;
}

async function valueOf(name: string, { env, prompts }: Context): Promise<string> {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    // What follows the sign may be the secret itself.
    const shown = JSON.stringify(name.split('=', 1)[0]);
    throw usageError(
      `--secret takes the name of a variable, not ${shown}${name.includes('=') ? ' with a value' : ''}`,
      `export it, or use --secret-file FILE`,
    );
  }
  const value = env[name] ?? '';
  if (value !== '') return value;
  if (!prompts.available)
    throw usageError(`--secret ${name}: no such variable in the environment`, '--secret-file FILE');
  const typed = await prompts.hidden(`${name}: `);
  if (typed !== '') return typed;
  throw usageError(`--secret ${name}: no value was given`);
}
