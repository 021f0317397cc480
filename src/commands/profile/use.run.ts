import type { Handler } from '../../cli/command.ts';
import { readProfiles, requireProfile, useProfile } from '../../config/profiles.ts';
import type { profileUse } from './use.ts';

/** `cictl profile use NAME`. */
export const run: Handler<typeof profileUse> = async ({ name }, { env, messages, settings }) => {
  requireProfile(readProfiles(env), name);
  if (settings.dryRun) {
    messages.note(`would make profile ${name} the current one`);
    return;
  }
  await useProfile(env, name);
  messages.note(`profile ${name} is the current one`);
};
