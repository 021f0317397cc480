import type { Handler, Input } from '../../command/command.ts';
import {
  checkProfileName,
  readProfiles,
  writeProfile,
  type ProfileChanges,
  type Profile,
} from '../../config/profiles.ts';
import type { Context } from '../../context.ts';
import type { authLogin } from './index.ts';
import { checkAddress, publicService, checkToken } from '../../config/addresses.ts';
import { dataDir } from '../../config/folders.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import { CictlError, usageError } from '../../errors.ts';
import { readState } from '../../service/state.ts';
import { wantedScopes } from './scopes.ts';
import type { Client } from '../../api/client.ts';
import { isSlug } from '../../parse/checks.ts';

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

// The service that `auth login` is for, and the profile that will hold its token.

interface Addresses {
  readonly baseUrl: string;
  readonly agentUrl: string | null;
  readonly graphqlUrl: string | null;
}

interface ChosenService {
  /** Name of the profile. */
  readonly profile: string;
  /** What the profile will hold. */
  readonly addresses: Addresses;
  readonly url: string;
  readonly agentUrl: string;
  /** Whether a profile is of this service already: then it keeps its other members. */
  sameService(profile: Profile | undefined): boolean;
}

/** `buildkite`, `local` or a URL; left out, the addresses of flags, environment and profile. */
async function chooseService(text: string | undefined, context: Context): Promise<ChosenService> {
  const { settings } = context;
  const flag = ['baseUrl', 'agentUrl', 'graphqlUrl'].find((key) => isFromFlag(settings, key));
  if (text !== undefined && flag !== undefined) {
    throw usageError(
      `--service and ${settings.sources[flag]?.slice(5) ?? ''} cannot be used together`,
    );
  }
  const addresses = text === undefined ? presentAddresses(context) : await named(text, context);
  const { baseUrl, agentUrl, graphqlUrl } = addresses;
  return {
    profile: settings.namedProfile ?? profileName(text, baseUrl, context),
    addresses,
    url: baseUrl,
    agentUrl: agentUrl ?? baseUrl,
    sameService: (profile) =>
      profile?.baseUrl === baseUrl &&
      (profile.agentUrl ?? null) === agentUrl &&
      (profile.graphqlUrl ?? null) === graphqlUrl,
  };
}

async function named(text: string, { env }: Context): Promise<Addresses> {
  if (text === 'buildkite') return publicService;
  if (text !== 'local') return alone(checkAddress(text, 'flag --service'));
  const state = await readState(dataDir(env));
  if (state !== undefined) return alone(state.url);
  throw new CictlError('unreachable', 'cannot log in: the built-in service does not run', {
    hint: 'cictl local up',
  });
}

const alone = (baseUrl: string): Addresses => ({ baseUrl, agentUrl: null, graphqlUrl: null });

/** An API at the base URL needs no address of its own. */
function presentAddresses({ settings }: Context): Addresses {
  const { baseUrl, agentUrl, graphqlUrl } = settings;
  return {
    baseUrl,
    agentUrl: agentUrl === baseUrl ? null : agentUrl,
    graphqlUrl: graphqlUrl === baseUrl ? null : graphqlUrl,
  };
}

/** The profile in use when its own token is renewed, else a name after the service. */
function profileName(text: string | undefined, baseUrl: string, { settings }: Context): string {
  const source = settings.sources['baseUrl'] ?? '';
  const renewed = text === undefined && (source === 'default' || source.startsWith('profile'));
  if (renewed && settings.profile !== undefined) return settings.profile;
  if (baseUrl === publicService.baseUrl) return 'buildkite';
  if (text === 'local') return text;
  return new URL(baseUrl).host.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^-+|-+$/g, '');
}

type LoginInput = Input<typeof authLogin>;

/** The token from standard input, else from a person. Code 2 where there is neither. */
async function readToken(
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

// Asks the service of a login whether a token is good, and what it is for.

/** The service, with the command line that logs in to it. */
type Login = ChosenService & { readonly line: string };

interface CheckedToken {
  /** What is shown of it. */
  readonly summary: string;
  /** Slugs of the organizations that it reaches, as far as the first two; none where unknown. */
  readonly organizations: readonly string[];
}

async function checkAccessToken(
  login: Login,
  token: string,
  context: Context,
): Promise<CheckedToken> {
  const client = await context.connect({ url: login.url, token }, context.signal);
  const { scopes } = await client.accessToken.get().catch(sayAgain(login));
  const summary = scopes?.length ? `scopes: ${scopes.join(', ')}` : 'without any scope';
  const mayAsk = scopes?.includes('read_organizations') === true;
  return { summary, organizations: mayAsk ? await firstOrganizations(client, context) : [] };
}

/** The login is good without them. */
async function firstOrganizations(client: Client, { messages }: Context): Promise<string[]> {
  const slugs: string[] = [];
  try {
    for await (const { slug } of client.organizations.list()) {
      if (typeof slug === 'string' && isSlug(slug)) slugs.push(slug);
      if (slugs.length > 1) break;
    }
    return slugs;
  } catch (error) {
    if (!(error instanceof CictlError) || error.kind === 'interrupted') throw error;
    messages.debug(`the organizations of the token are not known: ${error.message}`);
    return [];
  }
}

async function checkAgentToken(
  login: Login,
  agentToken: string,
  context: Context,
): Promise<CheckedToken> {
  const client = await context.connect({ url: login.agentUrl, agentToken }, context.signal);
  const slug = (await client.metrics.organization().catch(sayAgain(login))) ?? undefined;
  const organizations = slug !== undefined && isSlug(slug) ? [slug] : [];
  return { summary: `agents of organization ${slug ?? 'unknown'}`, organizations };
}

/** Who has pasted a wrong token types the same line again, not that of the current profile. */
const sayAgain =
  ({ line }: Login) =>
  (error: unknown): never => {
    if (!(error instanceof CictlError) || error.kind !== 'auth') throw error;
    const { kind, message, status, details, serviceMessage } = error;
    throw new CictlError(kind, message, {
      ...{ details, hint: line, cause: error },
      ...(status !== undefined && { status }),
      ...(serviceMessage !== undefined && { serviceMessage }),
    });
  };
