/** Stores secrets for the `secrets` attribute of steps and for `buildkite-agent secret get`. */
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { decodeText } from '../read-value.ts';
import type { localSecretList, localSecretRemove, localSecretSet } from './index.ts';
import { localSecret } from './resources.ts';
import { notThere, orgPath, printList, withService } from './with-service.ts';

export const setSecret: Handler<typeof localSecretSet> = async ({ name }, context) => {
  checkName(name);
  const given = await readSecretValue(name, context);
  // `--dry-run` prints the value, and redaction would miss short and multi-line values.
  const value = context.settings.dryRun ? '[REDACTED]' : given;
  await withService(context, (call) => call('PUT', orgPath(context, 'secrets', name), { value }));
  context.messages.note(`set secret ${name}`);
};

export const listSecrets: Handler<typeof localSecretList> = (_, context) =>
  printList(localSecret, 'secrets', context);

export const removeSecret: Handler<typeof localSecretRemove> = async ({ name }, context) => {
  checkName(name);
  await withService(context, (call) => call('DELETE', orgPath(context, 'secrets', name))).catch(
    notThere('secret', name, 'cictl local secret list'),
  );
  context.messages.note(`removed secret ${name}`);
};

function checkName(name: string): void {
  if (/^[A-Za-z_]\w*$/.test(name)) return;
  // The text after the equals sign may be the secret, so it is not repeated.
  const shown = JSON.stringify(name.split('=', 1)[0]);
  throw name.includes('=')
    ? usageError(
        `the value of secret ${shown} must come from standard input: other users can see command lines`,
        'cictl local secret set NAME < FILE',
      )
    : usageError(
        `invalid secret name ${shown}: use only letters, digits and _, and no digit at the start`,
      );
}

/** Maximum size in bytes. Operating systems do not allow longer variables. */
const maxBytes = 100_000;

/** Exit code 2 if the value cannot be stored in a variable. */
async function readSecretValue(name: string, context: Context): Promise<string> {
  const value = await promptOrRead(name, context);
  context.secrets.add(value);
  if (value === '') throw usageError(`no value for secret ${name}: standard input is empty`);
  if (value.includes('\0')) throw usageError(`the value of secret ${name} contains a NUL byte`);
  if (Buffer.byteLength(value) > maxBytes)
    throw usageError(`the value of secret ${name} is longer than ${maxBytes} bytes`);
  return value;
}

/** Removes the trailing newline of a single line. Multi-line values, such as keys, keep it. */
async function promptOrRead(name: string, { stdin, prompts }: Context): Promise<string> {
  if (prompts.available) return prompts.hidden(`${name}: `);
  if (stdin.isTerminal)
    throw usageError(
      `no value for secret ${name}: cannot prompt for it here`,
      `cictl local secret set ${name} < FILE`,
    );
  const bytes = await stdin.read(`secret ${name}`, maxBytes);
  const text = decodeText(bytes, `the value of secret ${name}`);
  return /^[^\n]*\n$/.test(text) ? text.replace(/\r?\n$/, '') : text;
}
