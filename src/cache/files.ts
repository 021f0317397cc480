/** Paths in the cache. Names are hashes, so that a listing reveals nothing. */
import { createHash } from 'node:crypto';
import { join, dirname } from 'node:path';
import { chmod } from 'node:fs/promises';
import { openDraft, type DraftFile, makeFolder } from '../common/write-files.ts';

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

/** A file of the cache that is being written: for this user alone, and so is its folder. */
export async function openCacheDraft(path: string): Promise<DraftFile> {
  const folder = dirname(path);
  await makeFolder(folder, 0o700);
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700);
  return openDraft(path, 0o600);
}
