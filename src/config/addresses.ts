/** The addresses of the three APIs. */
import { usageError } from '../errors.ts';
import type { SourcedValue, Layer, Sources } from './sources.ts';

/** The hosts of the public service. */
export const publicService = {
  baseUrl: 'https://api.buildkite.com',
  agentUrl: 'https://agent.buildkite.com',
  graphqlUrl: 'https://graphql.buildkite.com',
} as const;

export type AddressKey = keyof typeof publicService;

/** An address and where it comes from; `kind` decides which token may go there. */
export interface Address extends SourcedValue {
  readonly kind: Layer['kind'] | 'default';
}

export type Addresses = Readonly<Record<AddressKey, Address>>;

/** Code 2 for an address that is no http or https address. */
export const resolveAddresses = ({ layers }: Sources) => ({
  baseUrl: addressOf('baseUrl', layers),
  agentUrl: addressOf('agentUrl', layers),
  graphqlUrl: addressOf('graphqlUrl', layers),
});

/** Within one place, a base URL without its siblings serves all three APIs. */
function addressOf(key: AddressKey, layers: readonly Layer[]): Address {
  for (const layer of layers) {
    const found = layer.get(key) ?? layer.get('baseUrl');
    if (found)
      return { ...found, kind: layer.kind, value: checkAddress(found.value, found.source) };
  }
  return { kind: 'default', source: 'default', value: publicService[key] };
}

/**
 * The address without a slash at the end. Code 2 when it is no http(s) address, or holds a
 * password, a query or a fragment. `source` says where it stands.
 */
export function checkAddress(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const reason = problemOf(url);
  if (url !== undefined && reason === undefined) return url.href.replace(/\/+$/, '');
  throw usageError(`${JSON.stringify(text)} (${source}) is no address of a service: ${reason}`);
}

function problemOf(url: URL | undefined): string | undefined {
  if (url === undefined) return 'write it as https://HOST or http://HOST:PORT';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is neither http nor https';
  if (url.username !== '' || url.password !== '') return 'it must not hold a credential';
  if (url.search !== '' || url.hash !== '') return 'it must not hold "?" or "#"';
  return undefined;
}
