import type { Handler } from '../../command/command.ts';
import { readProfiles, removeProfile, requireProfile } from '../../config/profiles.ts';
import { confirm } from '../confirm.ts';
import type { profileRemove } from './index.ts';

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
