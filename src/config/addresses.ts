import { usageError, CictlError } from '../errors.ts';
import type { SourcedValue, Layer, Sources } from './sources.ts';
import { isToken } from '../parse/checks.ts';
import type { Settings } from './settings.ts';

export const publicService = {
  baseUrl: 'https://api.buildkite.com',
  agentUrl: 'https://agent.buildkite.com',
  graphqlUrl: 'https://graphql.buildkite.com',
} as const;

type AddressKey = keyof typeof publicService;

/** `kind` determines which tokens may be sent to this URL. */
interface Address extends SourcedValue {
  readonly kind: Layer['kind'] | 'default';
}

type Addresses = Readonly<Record<AddressKey, Address>>;

export const resolveAddresses = ({ layers }: Sources) => ({
  baseUrl: addressOf('baseUrl', layers),
  agentUrl: addressOf('agentUrl', layers),
  graphqlUrl: addressOf('graphqlUrl', layers),
});

/** If a source sets only the base URL, that URL is used for all three APIs. */
function addressOf(key: AddressKey, layers: readonly Layer[]): Address {
  for (const layer of layers) {
    const found = layer.get(key) ?? layer.get('baseUrl');
    if (found)
      return { ...found, kind: layer.kind, value: checkAddress(found.value, found.source) };
  }
  return { kind: 'default', source: 'default', value: publicService[key] };
}

/** Removes trailing slashes. Exit code 2 unless the text is a plain HTTP(S) URL. */
export function checkAddress(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const reason = problemOf(url);
  if (url !== undefined && reason === undefined) return url.href.replace(/\/+$/, '');
  throw usageError(`invalid service URL ${JSON.stringify(text)} (${source}): ${reason}`);
}

function problemOf(url: URL | undefined): string | undefined {
  if (url === undefined) return 'must be https://HOST or http://HOST:PORT';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use http or https';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (url.search !== '' || url.hash !== '') return 'must not contain "?" or "#"';
  return undefined;
}

type TokenKey = 'token' | 'agentToken';

const tokens = {
  token: {
    name: 'access token',
    variable: 'CICTL_TOKEN',
    addresses: ['baseUrl', 'graphqlUrl'],
    login: 'cictl auth login',
  },
  agentToken: {
    name: 'agent registration token',
    variable: 'CICTL_AGENT_TOKEN',
    addresses: ['agentUrl'],
    login: 'cictl auth login --agent',
  },
} as const;

interface Resolved {
  found: { token?: SourcedValue; agentToken?: SourcedValue };
  refusals: { token?: CictlError; agentToken?: CictlError };
}

/** Finds the tokens that may be sent to these URLs, or the reasons why there are none. */
export function resolveTokens(sources: Sources, addresses: Addresses): Resolved {
  const resolved: Resolved = { found: {}, refusals: {} };
  for (const key of ['token', 'agentToken'] as const) {
    const result = tokenFor(key, sources, addresses);
    if (result instanceof CictlError) resolved.refusals[key] = result;
    else resolved.found[key] = result;
  }
  return resolved;
}

function tokenFor(
  key: TokenKey,
  sources: Sources,
  addresses: Addresses,
): SourcedValue | CictlError {
  const external = tokens[key].addresses.map((address) => addresses[address]).find(isExternal);
  // An unusable profile is ignored if the URL is set elsewhere and the user chose no profile.
  if (sources.error && (external === undefined || isNamed(sources))) return sources.error;
  const found = sources.layers
    .filter((layer) => external === undefined || layer.kind !== 'profile')
    .map((layer) => layer.get(key))
    .find((token) => token !== undefined);
  if (found === undefined)
    return missingToken(key, sources, external, addresses[tokens[key].addresses[0]].value);
  return refusalOf(found) ?? found;
}

const isNamed = ({ profileSource }: Sources): boolean => profileSource !== 'default';

const isExternal = ({ kind }: Address): boolean => kind === 'flag' || kind === 'environment';

function missingToken(
  key: TokenKey,
  sources: Sources,
  external: Address | undefined,
  url: string,
): CictlError {
  const { name, variable, login } = tokens[key];
  if (external !== undefined) {
    const profileToken = sources.find(key);
    const reason = profileToken
      ? `the token from ${profileToken.source} is only sent to that profile's URLs`
      : 'the token must come from the environment too';
    return new CictlError(
      'auth',
      `no ${name} for ${external.value} (${external.source}): ${reason}`,
      { hint: `export ${variable}=TOKEN` },
    );
  }
  const { profile, profileSource } = sources;
  const whose = profile === undefined ? '' : ` in profile ${profile}`;
  const flag =
    profile === undefined || profileSource === 'profile use' ? '' : ` --profile ${profile}`;
  return new CictlError('auth', `no ${name} for ${url}${whose}, and ${variable} is not set`, {
    hint: `${login}${flag}, or for the local service: cictl local up`,
  });
}

/** Exit code 2 unless the token is one line of printable ASCII. The message never contains it. */
export function checkToken(token: string, source: string): string {
  const refusal = refusalOf({ value: token, source });
  if (refusal !== undefined) throw refusal;
  return token;
}

function refusalOf({ value, source }: SourcedValue): CictlError | undefined {
  if (isToken(value)) return undefined;
  return usageError(`invalid token from ${source}: it must be a single line of printable ASCII`);
}

/** Exit code 6 if there is no token for the URL, 2 if the token is invalid. */
export function requireToken(settings: Settings): string {
  if (settings.token !== undefined) return settings.token;
  throw settings.refusals.token ?? new CictlError('auth', 'no access token');
}

export function requireAgentToken(settings: Settings): string {
  if (settings.agentToken !== undefined) return settings.agentToken;
  throw settings.refusals.agentToken ?? new CictlError('auth', 'no agent registration token');
}
