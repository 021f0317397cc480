import type { Handler } from '../../command/command.ts';
import { checkAddress } from '../../config/addresses.ts';
import {
  readProfiles,
  removeProfile,
  requireProfile,
  useProfile,
  writeProfile,
  type Profile,
} from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { checkSlug } from '../../parse/checks.ts';
import { checkFormat } from '../../parse/output-format.ts';
import { confirm } from '../confirm.ts';
import {
  profileResource,
  shownProfile,
  type profileList,
  type profileRemove,
  type profileSet,
  type profileUse,
  type profileView,
} from './index.ts';

export const listProfiles: Handler<typeof profileList> = async (_input, { env, out }) => {
  const { current, profiles } = readProfiles(env);
  const rows = [...profiles].map(([name, stored]) => shownProfile(name, stored, current));
  await out.list(profileResource, rows, { empty: 'no profiles; to create one: cictl auth login' });
};

export const chooseProfile: Handler<typeof profileUse> = async ({ name }, context) => {
  const { env, messages, settings } = context;
  requireProfile(readProfiles(env), name);
  if (settings.dryRun) {
    messages.note(`would switch to profile ${name}`);
    return;
  }
  await useProfile(env, name);
  messages.note(`switched to profile ${name}`);
};

export const viewProfile: Handler<typeof profileView> = async ({ name: given }, context) => {
  const profiles = readProfiles(context.env);
  const name = given ?? profileInUse(context).name;
  const profile = requireProfile(profiles, name);
  await context.out.one(profileResource, shownProfile(name, profile, profiles.current));
};

export const removeNamedProfile: Handler<typeof profileRemove> = async ({ name }, context) => {
  const { env, messages, settings } = context;
  requireProfile(readProfiles(env), name);
  await confirm(context, `Remove profile ${name} and its tokens?`);
  if (settings.dryRun) {
    messages.note(`would remove profile ${name}`);
    return;
  }
  await removeProfile(env, name);
  messages.note(`removed profile ${name}`);
};

export const setSetting: Handler<typeof profileSet> = async ({ key: text, value }, context) => {
  const { env, messages, settings } = context;
  const key = settingKey(text);
  const { name } = profileInUse(context);
  const checked = value === '' ? null : checks[key](value);
  const change = checked === null ? `unset ${key}` : `set ${key} to ${checked}`;
  if (settings.dryRun) {
    messages.note(`would change profile ${name}: ${change}`);
    return;
  }
  await writeProfile(env, name, { [key]: checked });
  messages.note(`profile ${name}: ${change}`);
};

const checkUrl = (value: string) => checkAddress(value, 'VALUE');

const checks = {
  org: (value: string) => checkSlug('organization', value),
  pipeline: (value: string) => checkSlug('pipeline', value),
  output: (value: string) => checkFormat(value, 'VALUE'),
  baseUrl: checkUrl,
  agentUrl: checkUrl,
  graphqlUrl: checkUrl,
} as const;

/** Accepts `base-url` as well as `baseUrl`. */
function settingKey(text: string): keyof typeof checks {
  const name = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (Object.hasOwn(checks, name)) return name as keyof typeof checks;
  if (name === 'token' || name === 'agentToken')
    throw usageError(
      `cannot set ${text}: tokens cannot be passed as arguments`,
      `cictl auth login${name === 'token' ? '' : ' --agent'} --with-token < FILE`,
    );
  const known = Object.keys(checks).join(', ');
  throw usageError(`unknown setting ${JSON.stringify(text)}; settings are ${known}`);
}

/** The profile given by `--profile` or `CICTL_PROFILE`, or the current one. Exit code 2 if none. */
export function profileInUse({ env, settings }: Pick<Context, 'env' | 'settings'>): {
  name: string;
  profile: Profile;
} {
  const profiles = readProfiles(env);
  const name = settings.namedProfile ?? profiles.current;
  if (name !== undefined) return { name, profile: requireProfile(profiles, name) };
  throw usageError('no current profile', 'cictl auth login, or cictl profile use NAME');
}
