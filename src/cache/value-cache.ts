/** Values that completion offered a short while ago, so that the next Tab takes no request. */
import { readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openCacheDraft, accountFolder, fileName, type Account } from './files.ts';

export interface ValueCacheOptions extends Account {
  /** The folder of the whole cache. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What one question to the service gave, and when. */
export interface CachedValues {
  readonly values: readonly CachedValue[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When it was asked for in vain since then. */
  readonly failedAt?: number;
}

export interface CachedValue {
  readonly text: string;
  readonly summary: string;
  readonly state?: string;
}

export interface ValueCache {
  /** Undefined where there is nothing, or it is damaged. */
  readonly read: (question: string) => Promise<CachedValues | undefined>;
  /** Removes what is a week old, too. Throws what the file system throws. */
  readonly write: (question: string, values: CachedValues) => Promise<void>;
}

export function valueCache(options: ValueCacheOptions): ValueCache {
  const { folder, baseUrl, now } = options;
  const at = accountFolder(folder, options);
  const path = (question: string): string => join(at, fileName(baseUrl, 'values', question));
  return {
    read: (question) => Promise.resolve(readValues(path(question), now())),
    write: async (question, values) => {
      const draft = await openCacheDraft(path(question));
      try {
        await draft.file.writeFile(JSON.stringify(values));
        await draft.commit();
      } finally {
        await draft.discard();
      }
      await removeOld(dirname(path(question)), now() - week);
    },
  };
}

const week = 7 * 24 * 60 * 60_000;

/**
 * At once: a few kilobytes, and no thread is started for them. What is of the future was written
 * under another clock, and would stay for ever.
 */
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
