/** Paths in the cache. Names are hashes, so that a listing reveals nothing. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** A service and the token that opens it. */
export interface Account {
  readonly baseUrl: string;
  readonly token: string;
}

/** The folder of the cached logs. */
export const logsFolder = (cacheFolder: string): string => join(cacheFolder, 'logs');

/** What one token has read at one service: never served to another token. */
export const accountFolder = (cacheFolder: string, { baseUrl, token }: Account): string =>
  join(logsFolder(cacheFolder), hash(addressOf(baseUrl), token));

/** The file of something at a service, whichever token has read it. */
export const fileName = (baseUrl: string, kind: 'log' | 'build' | 'values', name: string): string =>
  `${hash(addressOf(baseUrl), kind, name)}.${kind}`;

/** The canonical form of an address. */
const addressOf = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, '');

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 40);
