import type { Handler, Input } from '../../command/command.ts';
import {
  checkProfileName,
  readProfiles,
  writeProfile,
  type ProfileChanges,
} from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import { checkAccessToken, checkAgentToken } from './check-token.ts';
import type { authLogin } from './index.ts';
import { readToken } from './read-token.ts';
import { chooseService } from './service.ts';

/** `cictl auth login`: nothing is written before the service has accepted the token. */
export const login: Handler<typeof authLogin> = async (input, context) => {
  const chosen = await chooseService(input.service, context);
  const name = checkProfileName(chosen.profile);
  const before = readProfiles(context.env).profiles.get(name);
  const line = loginLine(input, context);
  const token = await readToken(input, { ...chosen, line }, context);
  const check = input.agent ? checkAgentToken : checkAccessToken;
  const { summary, organizations } = await check({ ...chosen, line }, token, context);
  if (context.settings.dryRun) {
    context.messages.note(`would keep the token (${summary})`);
    return;
  }
  const isSame = chosen.sameService(before);
  const org = isSame && before?.org !== undefined ? undefined : only(organizations);
  await writeProfile(context.env, name, {
    ...(isSame ? {} : clearedMembers),
    ...chosen.addresses,
    ...(input.agent ? { agentToken: token } : { token }),
    ...(org === undefined ? {} : { org }),
  });
  const inOrg = org === undefined ? '' : `, organization ${org}`;
  context.messages.note(`logged in to ${chosen.url} as profile ${name}${inOrg} (${summary})`);
  noteOthers(name, context);
};

/** Members that a profile had for another service must not go to this one. */
const clearedMembers: ProfileChanges = { token: null, agentToken: null, org: null, pipeline: null };

const only = (slugs: readonly string[]): string | undefined =>
  slugs.length === 1 ? slugs[0] : undefined;

/** The same command line again, for a hint; without what concerns this time alone. */
function loginLine({ service, agent }: Input<typeof authLogin>, { settings }: Context): string {
  const { namedProfile } = settings;
  return [
    'cictl auth login',
    ...(namedProfile === undefined ? [] : [`--profile ${namedProfile}`]),
    ...(service === undefined ? [] : [`--service ${service}`]),
    ...(agent ? ['--agent'] : []),
  ].join(' ');
}

function noteOthers(name: string, { env, messages }: Context): void {
  const { current } = readProfiles(env);
  if (current === name) return;
  messages.note(`profile ${current ?? ''} stays the current one; cictl profile use ${name}`);
}
