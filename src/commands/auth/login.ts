import type { Client } from '../../api/client.ts';
import type { Handler, Input } from '../../command/command.ts';
import { checkAddress, publicService, checkToken } from '../../config/addresses.ts';
import { dataDir } from '../../config/folders.ts';
import {
  checkProfileName,
  readProfiles,
  writeProfile,
  type ProfileChanges,
} from '../../config/profiles.ts';
import { isFromFlag } from '../../config/setting-origins.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { isSlug } from '../../parse/checks.ts';
import { readState } from '../../service/state.ts';
import type { authLogin } from './index.ts';
import { wantedScopes } from './scopes.ts';

type LoginInput = Input<typeof authLogin>;

/** Saves nothing until the service has accepted the token. */
export const login: Handler<typeof authLogin> = async (input, context) => {
  const service = await chooseService(input, context);
  const { addresses, profile: name } = service;
  const { baseUrl, agentUrl, graphqlUrl } = addresses;
  const before = readProfiles(context.env).profiles.get(name);
  const token = await readToken(input, service, context);
  const check = input.agent ? checkAgentToken : checkAccessToken;
  const { summary, organizations } = await check(service, token, context);
  if (context.settings.dryRun) {
    context.messages.note(`would store the token (${summary})`);
    return;
  }
  const isSame =
    before?.baseUrl === baseUrl &&
    (before.agentUrl ?? null) === agentUrl &&
    (before.graphqlUrl ?? null) === graphqlUrl;
  const [only, ...others] = organizations;
  const org = (isSame && before.org !== undefined) || others.length > 0 ? undefined : only;
  await writeProfile(context.env, name, {
    ...(isSame ? {} : clearedMembers),
    ...addresses,
    ...(input.agent ? { agentToken: token } : { token }),
    ...(org === undefined ? {} : { org }),
  });
  const inOrg = org === undefined ? '' : `, organization ${org}`;
  context.messages.note(`logged in to ${baseUrl} as profile ${name}${inOrg} (${summary})`);
  const { current } = readProfiles(context.env);
  if (current !== name)
    context.messages.note(
      `the current profile is still ${current ?? ''}; to switch: cictl profile use ${name}`,
    );
};

/** Profile fields that belong to the old service and must not be kept for a new one. */
const clearedMembers: ProfileChanges = { token: null, agentToken: null, org: null, pipeline: null };

interface Addresses {
  readonly baseUrl: string;
  readonly agentUrl: string | null;
  readonly graphqlUrl: string | null;
}

interface ChosenService {
  /** Name of the profile in which the token will be saved. */
  readonly profile: string;
  readonly addresses: Addresses;
  /** The command line that a hint suggests running again. */
  readonly line: string;
}

/** Without `--service`, the URLs come from the flags, the environment and the profile. */
async function chooseService(
  { service, agent }: LoginInput,
  context: Context,
): Promise<ChosenService> {
  const { settings } = context;
  const { namedProfile } = settings;
  const flag = ['baseUrl', 'agentUrl', 'graphqlUrl'].find((key) => isFromFlag(settings, key));
  if (service !== undefined && flag !== undefined)
    throw usageError(
      `--service and ${settings.sources[flag]?.slice(5) ?? ''} cannot be used together`,
    );
  const addresses =
    service === undefined ? presentAddresses(context) : await namedAddresses(service, context);
  const profile = namedProfile ?? profileName(service, addresses.baseUrl, context);
  const words = [
    'cictl auth login',
    ...(namedProfile === undefined ? [] : [`--profile ${namedProfile}`]),
    ...(service === undefined ? [] : [`--service ${service}`]),
    ...(agent ? ['--agent'] : []),
  ];
  return { profile: checkProfileName(profile), addresses, line: words.join(' ') };
}

async function namedAddresses(text: string, { env }: Context): Promise<Addresses> {
  if (text === 'buildkite') return publicService;
  const others = { agentUrl: null, graphqlUrl: null };
  if (text !== 'local') return { baseUrl: checkAddress(text, 'flag --service'), ...others };
  const state = await readState(dataDir(env));
  if (state !== undefined) return { baseUrl: state.url, ...others };
  throw new CictlError('unreachable', 'cannot log in: the local service is not running', {
    hint: 'cictl local up',
  });
}

/** Omits the URL of an API if it is the same as the base URL. */
function presentAddresses({ settings }: Context): Addresses {
  const { baseUrl, agentUrl, graphqlUrl } = settings;
  return {
    baseUrl,
    agentUrl: agentUrl === baseUrl ? null : agentUrl,
    graphqlUrl: graphqlUrl === baseUrl ? null : graphqlUrl,
  };
}

/** The current profile if the login only renews its token; otherwise a name for the service. */
function profileName(text: string | undefined, baseUrl: string, { settings }: Context): string {
  const source = settings.sources['baseUrl'] ?? '';
  const renewed = text === undefined && (source === 'default' || source.startsWith('profile'));
  if (renewed && settings.profile !== undefined) return settings.profile;
  if (baseUrl === publicService.baseUrl) return 'buildkite';
  if (text === 'local') return text;
  return new URL(baseUrl).host.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^-+|-+$/g, '');
}

/** Reads the token from standard input or a prompt. Exit code 2 if neither is possible. */
async function readToken(
  { withToken, agent }: LoginInput,
  service: ChosenService,
  context: Context,
): Promise<string> {
  const token = withToken
    ? new TextDecoder().decode(await context.stdin.read('--with-token')).replace(/\r?\n$/, '')
    : await askForToken(agent, service, context);
  context.secrets.add(token);
  return checkToken(token, withToken ? 'standard input' : 'the prompt');
}

async function askForToken(
  agent: boolean,
  { addresses: { baseUrl, agentUrl }, profile, line }: ChosenService,
  { prompts, messages }: Context,
): Promise<string> {
  if (!prompts.available)
    throw usageError(
      'no token: cannot prompt here, and --with-token was not given',
      `${line} --with-token < FILE`,
    );
  messages.note(`Log in to ${agent ? (agentUrl ?? baseUrl) : baseUrl} as profile ${profile}.`);
  const lines = agent
    ? ['Enter an agent registration token. It has no scopes; only cictl metrics uses it.']
    : [
        `Enter an API access token with the scopes ${wantedScopes.join(', ')}; for cictl graphql, enable GraphQL access.`,
        'Commands that need a missing scope exit with code 6.',
        ...(baseUrl === publicService.baseUrl
          ? ['Create a token at https://buildkite.com/user/api-access-tokens/new']
          : []),
      ];
  for (const text of lines) messages.note(text);
  return prompts.hidden(agent ? 'Agent registration token: ' : 'Access token: ');
}

interface CheckedToken {
  readonly summary: string;
  /** Slugs of the organizations that the token can access, at most two; empty if unknown. */
  readonly organizations: readonly string[];
}

async function checkAccessToken(
  { addresses, line }: ChosenService,
  token: string,
  context: Context,
): Promise<CheckedToken> {
  const client = await context.connect({ url: addresses.baseUrl, token }, context.signal);
  const { scopes } = await client.accessToken.get().catch(suggestLine(line));
  const summary = scopes?.length ? `scopes: ${scopes.join(', ')}` : 'no scopes';
  const mayList = scopes?.includes('read_organizations') === true;
  return { summary, organizations: mayList ? await firstOrganizations(client, context) : [] };
}

/** If this fails, the login still succeeds. */
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
    messages.debug(`cannot list the token's organizations: ${error.message}`);
    return [];
  }
}

async function checkAgentToken(
  { addresses, line }: ChosenService,
  agentToken: string,
  context: Context,
): Promise<CheckedToken> {
  const url = addresses.agentUrl ?? addresses.baseUrl;
  const client = await context.connect({ url, agentToken }, context.signal);
  const slug = (await client.metrics.organization().catch(suggestLine(line))) ?? undefined;
  const organizations = slug !== undefined && isSlug(slug) ? [slug] : [];
  return { summary: `agents of organization ${slug ?? 'unknown'}`, organizations };
}

/** If the token is invalid, suggests this login again, not a login for the current profile. */
const suggestLine =
  (line: string) =>
  (error: unknown): never => {
    if (!(error instanceof CictlError) || error.kind !== 'auth') throw error;
    const { kind, message, status, details, serviceMessage } = error;
    throw new CictlError(kind, message, {
      ...{ details, hint: line, cause: error },
      ...(status !== undefined && { status }),
      ...(serviceMessage !== undefined && { serviceMessage }),
    });
  };
