/** `cictl local secret`: values that steps ask for with `secrets`, and jobs with `secret get`. */
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { localSecret } from './resources.ts';
import { localOrg, notThere, withService } from './with-service.ts';
import type { localSecretList, localSecretRemove, localSecretSet } from './index.ts';
import { decodeText } from '../read-value.ts';

export const setSecret: Handler<typeof localSecretSet> = async ({ name }, context) => {
  checkName(name);
  const given = await readSecretValue(name, context);
  // What is short or has several lines is not found again in the text of a request.
  const value = context.settings.dryRun ? '[REDACTED]' : given;
  await withService(context, (call) => call('PUT', secretsPath(context, name), { value }));
  context.messages.note(`set secret ${name}`);
};

export const listSecrets: Handler<typeof localSecretList> = async (_, context) => {
  const list = await withService(context, (call) => call('GET', secretsPath(context)));
  await context.out.list(localSecret, list as object[]);
};

export const removeSecret: Handler<typeof localSecretRemove> = async ({ name }, context) => {
  checkName(name);
  await withService(context, (call) => call('DELETE', secretsPath(context, name))).catch(
    notThere('secret', name, 'cictl local secret list'),
  );
  context.messages.note(`removed secret ${name}`);
};

function secretsPath(context: Context, name?: string): string {
  const all = `/organizations/${encodeURIComponent(localOrg(context))}/secrets`;
  return name === undefined ? all : `${all}/${name}`;
}

function checkName(name: string): void {
  if (/^[A-Za-z_]\w*$/.test(name)) return;
  // What follows the sign may be the secret itself.
  const [shown = ''] = name.split('=', 1);
  throw name.includes('=')
    ? usageError(
        `the value of secret ${JSON.stringify(shown)} comes from standard input: other users see command lines`,
        'cictl local secret set NAME < FILE',
      )
    : usageError(
        `a secret has the name of a variable (letters, digits and _), not ${JSON.stringify(shown)}`,
      );
}

/** Bytes: a process gets no longer variable. */
const largest = 100_000;

/**
 * A secret from standard input, on a terminal from a question that shows nothing. The end of a
 * single line is no part of it, that of several lines is: keys need it. Code 2 for what no
 * variable can be.
 */
async function readSecretValue(name: string, context: Context): Promise<string> {
  const value = await read(name, context);
  context.secrets.add(value);
  if (value === '') throw usageError(`no value for secret ${name}: standard input is empty`);
  if (value.includes('\0')) throw usageError(`the value of secret ${name} has a NUL byte`);
  if (Buffer.byteLength(value) > largest)
    throw usageError(`the value of secret ${name} is longer than ${largest} bytes`);
  return value;
}

async function read(name: string, { stdin, prompts }: Context): Promise<string> {
  if (prompts.available) return prompts.hidden(`${name}: `);
  if (stdin.isTerminal)
    throw usageError(
      `no value for secret ${name}: nobody can be asked here`,
      'give it on standard input',
    );
  const text = decodeText(
    await stdin.read(`secret ${name}`, largest),
    `the value of secret ${name}`,
  );
  return /^[^\n]*\n$/.test(text) ? text.replace(/\r?\n$/, '') : text;
}
