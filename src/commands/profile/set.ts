import type { Handler } from '../../command/command.ts';
import { checkAddress } from '../../config/addresses.ts';
import { writeProfile } from '../../config/profiles.ts';
import { usageError } from '../../errors.ts';
import { checkSlug } from '../../parse/checks.ts';
import { profileInUse } from './in-use.ts';
import type { profileSet } from './index.ts';
import { checkFormat } from '../../parse/output-format.ts';

/** How the value of each key is checked. */
const checks = {
  org: (value: string) => checkSlug('organization', value),
  pipeline: (value: string) => checkSlug('pipeline', value),
  output: (value: string) => checkFormat(value, 'VALUE'),
  baseUrl: (value: string) => checkAddress(value, 'VALUE'),
  agentUrl: (value: string) => checkAddress(value, 'VALUE'),
  graphqlUrl: (value: string) => checkAddress(value, 'VALUE'),
} as const;

type Key = keyof typeof checks;

/** `cictl profile set KEY VALUE`. */
export const setSetting: Handler<typeof profileSet> = async ({ key: text, value }, context) => {
  const { env, messages, settings } = context;
  const key = keyOf(text);
  const { name } = profileInUse(context);
  const checked = value === '' ? null : checks[key](value);
  const change = checked === null ? `${key} is not set` : `${key} is ${checked}`;
  if (settings.dryRun) {
    messages.note(`would change profile ${name}: ${change}`);
    return;
  }
  await writeProfile(env, name, { [key]: checked });
  messages.note(`profile ${name}: ${change}`);
};

/** `base-url` and `baseUrl` are the same. */
function keyOf(text: string): Key {
  const name = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (Object.hasOwn(checks, name)) return name as Key;
  if (name === 'token' || name === 'agentToken') {
    throw usageError(
      `${text} cannot be set: a token is no argument`,
      `cictl auth login${name === 'token' ? '' : ' --agent'} --with-token < FILE`,
    );
  }
  const known = Object.keys(checks).join(', ');
  throw usageError(`profiles have no setting ${JSON.stringify(text)}: one of ${known}`);
}
