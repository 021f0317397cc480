import type { Handler } from '../../cli/command.ts';
import { readProfiles, requireProfile } from '../../config/profiles.ts';
import { profileInUse } from './in-use.ts';
import { profile, shown } from './resource.ts';
import type { profileView } from './view.ts';

/** `cictl profile view [NAME]`. */
export const run: Handler<typeof profileView> = async ({ name: given }, context) => {
  const profiles = readProfiles(context.env);
  const name = given ?? profileInUse(context).name;
  await context.out.one(profile, shown(name, requireProfile(profiles, name), profiles.current));
};
