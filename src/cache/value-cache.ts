/** Caches the values that completion offers, so that the next Tab needs no request. */
import { readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeCacheFile, accountFolder, fileName, type Account } from './files.ts';

export interface CachedValues {
  readonly values: readonly CachedValue[];
  readonly at: number;
  /** Time of a later request that failed, if any */
  readonly failedAt?: number;
}

export interface CachedValue {
  readonly text: string;
  readonly summary: string;
  readonly state?: string;
}

export interface ValueCache {
  readonly read: (question: string) => Promise<CachedValues | undefined>;
  /** Writes the values, and removes files older than a week. */
  readonly write: (question: string, values: CachedValues) => Promise<void>;
}

export function valueCache(
  options: Account & { readonly folder: string; readonly now: () => number },
): ValueCache {
  const { folder, baseUrl, now } = options;
  const at = accountFolder(folder, options);
  const path = (question: string): string => join(at, fileName(baseUrl, 'values', question));
  return {
    read: (question) => Promise.resolve(readValues(path(question), now())),
    write: async (question, values) => {
      await writeCacheFile(path(question), JSON.stringify(values));
      await removeOld(dirname(path(question)), now() - week);
    },
  };
}

const week = 7 * 24 * 60 * 60_000;

/** Synchronous, because that is faster for small files. Ignores entries from the future. */
function readValues(path: string, now: number): CachedValues | undefined {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as CachedValues;
    const isSound = found.values.every(
      (value) => typeof value.text === 'string' && typeof value.summary === 'string',
    );
    return isSound && found.at <= now && (found.failedAt ?? 0) <= now ? found : undefined;
  } catch {
    return undefined;
  }
}

async function removeOld(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.values')) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < before) await rm(path, { force: true });
  }
}
