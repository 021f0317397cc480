/** `cictl local secret`: values that steps ask for with `secrets`, and jobs with `secret get`. */
import type { Handler } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { readSecretValue } from './secret-value.ts';
import { localSecret } from './secret-resource.ts';
import { localOrg, notThere, withService } from './with-service.ts';
import type { localSecretList, localSecretRemove, localSecretSet } from './index.ts';

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
