import { evictLogsOfToken } from '../../cache/log-cache.ts';
import type { Handler } from '../../command/command.ts';
import { publicService } from '../../config/addresses.ts';
import { writeProfile, type Profile } from '../../config/profiles.ts';
import { loginCommand } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { confirm } from '../confirm.ts';
import { profileInUse } from '../profile/verbs.ts';
import type { authLogout } from './index.ts';

/** Removes only the tokens of the profile, not tokens in the environment. */
export const logout: Handler<typeof authLogout> = async ({ revoke }, context) => {
  const { env, messages, settings } = context;
  const { name, profile } = profileInUse(context);
  if (revoke) await revokeToken(name, profile, context);
  if (settings.dryRun) {
    messages.note(`would remove the tokens of profile ${name}`);
    return;
  }
  if (profile.token === undefined && profile.agentToken === undefined) {
    messages.note(`profile ${name} has no token`);
    return;
  }
  await writeProfile(env, name, { token: null, agentToken: null });
  const { token, baseUrl = publicService.baseUrl } = profile;
  if (token !== undefined) await evictLogsOfToken(baseUrl, token, context);
  messages.note(`logged out of profile ${name}; to log in again: ${loginCommand(name)}`);
};

async function revokeToken(name: string, profile: Profile, context: Context): Promise<void> {
  const { token, baseUrl: url = publicService.baseUrl } = profile;
  if (token === undefined)
    throw new CictlError('auth', `profile ${name} has no access token to revoke`);
  await confirm(context, `Revoke the access token of profile ${name} at ${url}?`);
  const { accessToken } = await context.connect({ url, token }, context.signal);
  try {
    await accessToken.revoke();
  } catch (error) {
    if (!(error instanceof CictlError) || error.status !== 401) throw error;
    context.messages.note('the token was already invalid');
  }
}
