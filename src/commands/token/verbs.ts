import { accessToken as resource } from '../../api/resources/access_token.ts';
import { evictLogsOfToken } from '../../cache/log-cache.ts';
import type { Handler } from '../../command/command.ts';
import { readProfiles, writeProfile } from '../../config/profiles.ts';
import { loginCommand } from '../../config/setting-origins.ts';
import { requireToken } from '../../config/settings.ts';
import { confirm } from '../confirm.ts';
import type { tokenRevoke, tokenView } from './index.ts';

export const viewToken: Handler<typeof tokenView> = async (_input, context) => {
  const { accessToken } = await context.client();
  await context.out.one(resource, await accessToken.get({ asSent: true }));
};

export const revokeToken: Handler<typeof tokenRevoke> = async (_input, context) => {
  const { settings, messages, env } = context;
  const token = requireToken(settings);
  const source = settings.sources['token'] ?? 'current';
  await confirm(context, `Revoke the access token (${source}) at ${settings.baseUrl}?`);
  const { accessToken } = await context.client();
  await accessToken.revoke();
  messages.note(`revoked the access token (${source})`);
  await evictLogsOfToken(settings.baseUrl, token, context);
  const holders = [...readProfiles(env).profiles].filter(([, profile]) => profile.token === token);
  const names = holders.map(([name]) => name);
  for (const name of names) await writeProfile(env, name, { token: null });
  if (names.length > 0) messages.note(`removed it from profile ${names.join(', ')}`);
  const unset = /^[A-Z_]+$/.test(source) ? `unset ${source}; ` : '';
  messages.note(`to log in again: ${unset}${loginCommand(names[0])}`);
};
