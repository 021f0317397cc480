import type { Handler } from '../../command/command.ts';
import {
  readProfiles,
  requireProfile,
  useProfile,
  removeProfile,
  writeProfile,
  type Profile,
} from '../../config/profiles.ts';
import {
  type profileList,
  profileResource,
  shownProfile,
  type profileUse,
  type profileView,
  type profileRemove,
  type profileSet,
} from './index.ts';
import { confirm } from '../confirm.ts';
import { checkAddress } from '../../config/addresses.ts';
import { usageError } from '../../errors.ts';
import { checkSlug } from '../../parse/checks.ts';
import { checkFormat } from '../../parse/output-format.ts';
import type { Context } from '../../context.ts';

/** `cictl profile list`. */
export const listProfiles: Handler<typeof profileList> = async (_input, { env, out }) => {
  const { current, profiles } = readProfiles(env);
  const rows = [...profiles].map(([name, stored]) => shownProfile(name, stored, current));
  await out.list(profileResource, rows, { empty: 'no profiles; cictl auth login makes one' });
};

/** `cictl profile use NAME`. */
export const chooseProfile: Handler<typeof profileUse> = async (
  { name },
  { env, messages, settings },
) => {
  requireProfile(readProfiles(env), name);
  if (settings.dryRun) {
    messages.note(`would make profile ${name} the current one`);
    return;
  }
  await useProfile(env, name);
  messages.note(`profile ${name} is the current one`);
};

/** `cictl profile view [NAME]`. */
export const viewProfile: Handler<typeof profileView> = async ({ name: given }, context) => {
  const profiles = readProfiles(context.env);
  const name = given ?? profileInUse(context).name;
  await context.out.one(
    profileResource,
    shownProfile(name, requireProfile(profiles, name), profiles.current),
  );
};

/** `cictl profile remove NAME`. */
export const removeNamedProfile: Handler<typeof profileRemove> = async ({ name }, context) => {
  const { env, messages, settings } = context;
  requireProfile(readProfiles(env), name);
  await confirm(context, `Remove profile ${name} and its tokens?`);
  if (settings.dryRun) {
    messages.note(`would remove profile ${name}`);
    return;
  }
  await removeProfile(env, name);
  messages.note(`profile ${name} is removed`);
};

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

// The profile that a command about profiles means when it is given no name.

/** `--profile`, `CICTL_PROFILE`, else the current one. Code 2 when there is none. */
export function profileInUse({ env, settings }: Pick<Context, 'env' | 'settings'>): {
  name: string;
  profile: Profile;
} {
  const profiles = readProfiles(env);
  const name = settings.namedProfile ?? profiles.current;
  if (name !== undefined) return { name, profile: requireProfile(profiles, name) };
  throw usageError('no profile is the current one', 'cictl auth login, or cictl profile use NAME');
}
