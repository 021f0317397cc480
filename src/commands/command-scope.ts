import { isFromFlag } from '../config/is-from-flag.ts';
import type { Context } from '../context.ts';
import type { CommandScope } from '../triage/command-scope.ts';

/** A flag is not known to the command that is typed next; a profile or a variable is. */
export const commandScope = ({ settings }: Pick<Context, 'settings'>): CommandScope => ({
  org: isFromFlag(settings, 'org') ? undefined : settings.org,
  profile: isFromFlag(settings, 'profile') ? settings.profile : undefined,
});
