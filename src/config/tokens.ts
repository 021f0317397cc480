/**
 * Which token goes to which address: a token of a profile goes only to that profile's addresses.
 */
import { CictlError, usageError } from '../errors.ts';
import { isToken } from '../parse/token.ts';
import type { Address, Addresses } from './addresses.ts';
import type { Settings } from './settings.ts';
import type { SourcedValue, Sources } from './sources.ts';

type TokenKey = 'token' | 'agentToken';

/** The words of each token for messages. */
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

/** Tokens that may be sent to the resolved addresses, and why not where there is none. */
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
  // A broken profile does not matter where neither it nor its address is needed.
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

/** An address of a flag or of the environment belongs to no profile. */
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
      ? `the token of ${profileToken.source} goes to the addresses of that profile alone`
      : `it needs a token from the environment`;
    return new CictlError(
      'auth',
      `no ${name} for ${external.value}, which comes from ${external.source}: ${reason}`,
      { hint: `set ${variable}` },
    );
  }
  const whose = sources.profile === undefined ? '' : ` in profile ${sources.profile}`;
  return new CictlError('auth', `no ${name} for ${url}${whose}, and ${variable} is not set`, {
    hint: `${login}${otherProfile(sources)}, or for the built-in service: cictl local up`,
  });
}

/** The profile has to be named where it is not the current one. */
const otherProfile = ({ profile, profileSource }: Sources): string =>
  profile === undefined || profileSource === 'profile use' ? '' : ` --profile ${profile}`;

/** Code 2 unless the token is one line of printable ASCII. It is never part of the message. */
export function checkToken(token: string, source: string): string {
  const refusal = refusalOf({ value: token, source });
  if (refusal !== undefined) throw refusal;
  return token;
}

function refusalOf({ value, source }: SourcedValue): CictlError | undefined {
  if (isToken(value)) return undefined;
  return usageError(`the token of ${source} cannot be used: it is not one line of printable ASCII`);
}

/** The access token. Code 6 when there is none for the address, code 2 when it cannot be one. */
export function requireToken(settings: Settings): string {
  if (settings.token !== undefined) return settings.token;
  throw settings.refusals.token ?? new CictlError('auth', 'no access token');
}

/** The agent registration token, for the metrics. Codes as for `requireToken`. */
export function requireAgentToken(settings: Settings): string {
  if (settings.agentToken !== undefined) return settings.agentToken;
  throw settings.refusals.agentToken ?? new CictlError('auth', 'no agent registration token');
}
