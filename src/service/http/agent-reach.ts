/**
 * What is meant for the address that agents of other machines use. Agents send no `Origin`: whoever
 * does is a page in a browser. A name that leads here by DNS rebinding shows in `Host`; a bare
 * address is no name.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { AgentAddress } from '../reach.ts';
import { ApiError } from './api-error.ts';
import { isEveryInterface, isLoopback } from './hosts.ts';
import type { Reach } from './reach.ts';

/** `port` is the one that it got. */
export function agentReach({ host, tls, publicUrl }: AgentAddress, port: number): Reach {
  const own = tls === undefined ? 'http:' : 'https:';
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOwnName = ownNames(host, known !== undefined);
  return {
    publicUrl,
    originOf(given = '', page) {
      if (page !== undefined)
        throw new ApiError(403, 'Forbidden: this address is for agents, not for pages');
      if (known !== undefined && urlOf(known.protocol, given)?.host === known.host)
        return publicUrl ?? known.origin;
      const url = urlOf(own, given);
      if (url === undefined || portOf(url) !== port || !isOwnName(nameOf(url))) throw otherHost();
      return publicUrl ?? url.origin;
    },
  };
}

const otherHost = (): ApiError =>
  new ApiError(403, 'Forbidden: this service has another name (local up --public-url)');

/**
 * Where it listens; on all interfaces every address and the name of this machine, unless it has a
 * public name: whatever else comes then came by mistake.
 */
function ownNames(host: string, isNamed: boolean): (name: string) => boolean {
  if (isEveryInterface(host))
    return (name) =>
      !isNamed && (isIP(name) !== 0 || [hostname().toLowerCase(), 'localhost'].includes(name));
  const names = isLoopback(host) ? [host, '127.0.0.1', '::1', 'localhost'] : [host];
  return (name) => names.includes(name);
}

const nameOf = ({ hostname: name }: URL): string => name.replace(/^\[(.*)\]$/, '$1');

const portOf = ({ port, protocol }: URL): number =>
  Number(port || (protocol === 'https:' ? 443 : 80));

/** Undefined for what is no host and port alone. */
function urlOf(scheme: string, host: string): URL | undefined {
  const isHost = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}//${host}`);
  return isHost ? new URL(`${scheme}//${host}`) : undefined;
}
