import type { Handler } from '../../command/command.ts';
import {
  checkProfileName,
  readProfiles,
  writeProfile,
  type ProfileChanges,
} from '../../config/profiles.ts';
import { checkToken } from '../../config/tokens.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { authLogin } from './index.ts';
import { chooseService, type ChosenService } from './service.ts';

/** `cictl auth login`: nothing is written before the service has accepted the token. */
export const login: Handler<typeof authLogin> = async ({ service, withToken, agent }, context) => {
  const chosen = await chooseService(service, context);
  const name = checkProfileName(chosen.profile);
  const before = readProfiles(context.env);
  const token = await readToken(withToken, agent, context);
  const summary = agent
    ? await checkAgentToken(chosen, token, context)
    : await checkAccessToken(chosen, token, context);
  if (context.settings.dryRun) {
    context.messages.note(`would keep the token (${summary})`);
    return;
  }
  const kept = chosen.sameService(before.profiles.get(name)) ? {} : clearedMembers;
  const member: ProfileChanges = agent ? { agentToken: token } : { token };
  await writeProfile(context.env, name, { ...kept, ...chosen.addresses, ...member });
  context.messages.note(`logged in to ${chosen.url} as profile ${name} (${summary})`);
  const { current } = readProfiles(context.env);
  if (current !== name) {
    context.messages.note(
      `profile ${current ?? ''} stays the current one; cictl profile use ${name}`,
    );
  }
};

/** Members that a profile had for another service must not go to this one. */
const clearedMembers = { token: null, agentToken: null, org: null, pipeline: null } as const;

async function readToken(withToken: boolean, agent: boolean, context: Context): Promise<string> {
  const token = withToken
    ? new TextDecoder().decode(await context.stdin.read('--with-token')).replace(/\r?\n$/, '')
    : await askForToken(agent, context);
  context.secrets.add(token);
  return checkToken(token, withToken ? 'standard input' : 'your answer');
}

async function askForToken(agent: boolean, { prompts }: Context): Promise<string> {
  if (!prompts.available) {
    throw usageError(
      'no token: standard input is not read unasked, and nobody can be asked here',
      'cictl auth login --with-token < FILE',
    );
  }
  const name = agent ? 'Agent registration token' : 'Access token';
  return prompts.hidden(`${name}: `);
}

/** What is shown of the token: its scopes. */
async function checkAccessToken(
  { url }: ChosenService,
  token: string,
  context: Context,
): Promise<string> {
  const client = await context.connect({ url, token }, context.signal);
  const { scopes } = await client.accessToken.get();
  return scopes && scopes.length > 0 ? `scopes: ${scopes.join(', ')}` : 'without any scope';
}

/** What is shown of the token: its organization. */
async function checkAgentToken(
  { agentUrl }: ChosenService,
  agentToken: string,
  context: Context,
): Promise<string> {
  const client = await context.connect({ url: agentUrl, agentToken }, context.signal);
  return `agents of organization ${(await client.metrics.organization()) ?? 'unknown'}`;
}
