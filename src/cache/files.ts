/** Paths in the cache. Names are hashes, so a directory listing reveals nothing. */
import { createHash } from 'node:crypto';
import { join, dirname } from 'node:path';
import { chmod } from 'node:fs/promises';
import { openDraft, type DraftFile, makeFolder, replaceFile } from '../common/write-files.ts';

export interface Account {
  readonly baseUrl: string;
  readonly token: string;
}

export const logsFolder = (cacheFolder: string): string => join(cacheFolder, 'logs');

/** Directory for the logs that one token has read. No other token can get them from the cache. */
export const accountFolder = (cacheFolder: string, { baseUrl, token }: Account): string =>
  join(logsFolder(cacheFolder), hash(addressOf(baseUrl), token));

/** The file name does not depend on the token, so a log can be removed for all tokens. */
export const fileName = (baseUrl: string, kind: 'log' | 'build' | 'values', name: string): string =>
  `${hash(addressOf(baseUrl), kind, name)}.${kind}`;

const addressOf = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, '');

const hash = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 40);

/** Creates a file that only the current user can read, in a directory that is also private. */
export async function openCacheDraft(path: string): Promise<DraftFile> {
  await makePrivateFolder(dirname(path));
  return openDraft(path, 0o600);
}

export async function writeCacheFile(path: string, contents: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  await replaceFile(path, contents, 0o600);
}

async function makePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700);
}
