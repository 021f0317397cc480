import type { Input } from '../../command/command.ts';
import { publicService } from '../../config/addresses.ts';
import { checkToken } from '../../config/tokens.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import type { Login } from './check-token.ts';
import type { authLogin } from './index.ts';
import { wantedScopes } from './scopes.ts';

type LoginInput = Input<typeof authLogin>;

/** The token from standard input, else from a person. Code 2 where there is neither. */
export async function readToken(
  { withToken, agent }: LoginInput,
  login: Login,
  context: Context,
): Promise<string> {
  const token = withToken
    ? new TextDecoder().decode(await context.stdin.read('--with-token')).replace(/\r?\n$/, '')
    : await askForToken(agent, login, context);
  context.secrets.add(token);
  return checkToken(token, withToken ? 'standard input' : 'your answer');
}

async function askForToken(
  agent: boolean,
  login: Login,
  { prompts, messages }: Context,
): Promise<string> {
  if (!prompts.available) {
    throw usageError(
      'no token: standard input is not read unasked, and nobody can be asked here',
      `${login.line} --with-token < FILE`,
    );
  }
  for (const line of agent ? agentWords(login) : accessWords(login)) messages.note(line);
  return prompts.hidden(agent ? 'Agent registration token: ' : 'Access token: ');
}

const accessWords = ({ url, profile }: Login): string[] => [
  `Log in to ${url} as profile ${profile}.`,
  `An API access token is wanted, with the scopes ${wantedScopes.join(', ')}; for graphql, with access to it.`,
  'With fewer scopes the commands that need the others end with code 6.',
  ...(url === publicService.baseUrl
    ? ['Make one at https://buildkite.com/user/api-access-tokens/new']
    : []),
];

const agentWords = ({ agentUrl, profile }: Login): string[] => [
  `Log in to ${agentUrl} as profile ${profile}.`,
  'An agent registration token is wanted; it has no scopes, and only cictl metrics uses it.',
];
