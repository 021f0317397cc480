/** Caches facts about a checkout for a day. */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../common/clock.ts';
import { replaceFile, makeFolder } from '../common/write-files.ts';
import type { Env } from '../common/env.ts';
import { cacheDir } from './folders.ts';

export interface Remembered {
  get(key: readonly string[]): Promise<readonly string[] | undefined>;
  put(key: readonly string[], values: readonly string[]): Promise<void>;
  /** Removes the entries that this process has read, because they are outdated. Never throws. */
  drop(): Promise<void>;
}

/** In milliseconds. An empty list expires soon, so that the first pipeline is noticed. */
const lifetime = (values: readonly string[]): number => (values.length === 0 ? 60_000 : 86_400_000);

interface Entry {
  readonly at: number;
  readonly values: readonly string[];
}

/** File names are hashes that include the token, so a directory listing reveals nothing. */
export function remembered(env: Env, clock: Clock, token: string | undefined): Remembered {
  const folder = (): string => join(cacheDir(env), 'remembered');
  const file = (key: readonly string[]): string =>
    join(folder(), `${hash([token ?? '', ...key])}.json`);
  const used = new Set<string>();
  return {
    get: async (key) => {
      const entry = await readEntry(() => file(key));
      const age = clock.now() - (entry?.at ?? 0);
      const { values } = entry ?? {};
      if (values === undefined || age < 0 || age >= lifetime(values)) return undefined;
      used.add(file(key));
      return values;
    },
    put: async (key, values) => {
      const entry: Entry = { at: clock.now(), values };
      await attempt(async () => {
        await makeFolder(folder(), 0o700);
        await replaceFile(file(key), JSON.stringify(entry), 0o600);
      });
    },
    drop: async () => {
      for (const path of used) await attempt(() => rm(path, { force: true }));
    },
  };
}

const readEntry = (path: () => string): Promise<Entry | undefined> =>
  attempt(async () => asEntry(JSON.parse(await readFile(path(), 'utf8'))));

function asEntry(value: unknown): Entry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { at, values } = value as Partial<Record<keyof Entry, unknown>>;
  if (typeof at !== 'number' || !Array.isArray(values)) return undefined;
  return values.every((one) => typeof one === 'string') ? { at, values } : undefined;
}

async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 40);
