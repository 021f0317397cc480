import { resource, text } from '../../api/resources/resource.ts';
import type { Context } from '../../context.ts';
import { looksSecret } from '../../dotenv/secret.ts';

/**
 * The table for people: values of secret-looking names are masked, unless `--show-secrets` is
 * given.
 */
export const printEnvTable = (
  env: Readonly<Record<string, string>>,
  { showSecrets }: { readonly showSecrets: boolean },
  { out }: Context,
): Promise<void> =>
  out.list(variable, rows(env, showSecrets), { empty: 'no variables', format: 'table' });

const variable = resource({
  name: 'variable',
  plural: 'variables',
  members: { name: text(), value: text() },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'value', heading: 'VALUE' },
  ],
});

const rows = (env: Readonly<Record<string, string>>, showSecrets: boolean): object[] =>
  Object.entries(env).map(([name, value]) => ({
    name,
    value: looksSecret(name) && !showSecrets ? '********' : value,
  }));
