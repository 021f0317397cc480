import type { Handler } from '../../command/command.ts';
import { readProfiles, requireProfile, useProfile, removeProfile } from '../../config/profiles.ts';
import { profileInUse } from './in-use.ts';
import {
  type profileList,
  profileResource,
  shownProfile,
  type profileUse,
  type profileView,
  type profileRemove,
} from './index.ts';
import { confirm } from '../confirm.ts';

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
