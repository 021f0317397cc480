/** Provides agents with the source code for builds, and locates or copies it once per build. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Build } from '../domain/records.ts';
import { removeExisting } from '../store/files.ts';
import type * as MakeCode from './make-code.ts';

export interface Snapshots {
  /** If the code is only on this machine, agents that cannot read its files get a snapshot. */
  codeOf(build: CodeOfBuild, folder: string, reachesFiles: boolean): Promise<BuildCode>;
  snapshotOf(buildId: string): Promise<SnapshotCode | undefined>;
  repository(buildId: string): string;
  remove(buildId: string): Promise<void>;
  /** Aborts all work in progress. */
  close(): Promise<void>;
}

export type CodeOfBuild = Pick<
  Build,
  | 'id'
  | 'pipelineId'
  | 'number'
  | 'commit'
  | 'branch'
  | 'message'
  | 'author'
  | 'createdAt'
  | 'workspace'
  | 'cleanCheckout'
>;

export type BuildCode = RepositoryCode | SnapshotCode;

export interface RepositoryCode {
  readonly kind: 'repository';
  /** URL or path to clone, without a password. */
  readonly address: string;
  readonly isPath: boolean;
  readonly commit: string;
  /** Fetched instead of the build's branch if that branch does not contain the commit. */
  readonly refspec: string | null;
}

/** A snapshot: a new commit in a bare repository that agents fetch from the service. */
export interface SnapshotCode {
  readonly kind: 'snapshot';
  readonly commit: string;
  readonly branch: string;
  readonly tree: string;
}

/** The service is stopping. After a restart, it can provide the same code. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError';
}

export async function openSnapshots(dataDir: string): Promise<Snapshots> {
  const root = join(dataDir, 'snapshots');
  // A killed service may have left drafts.
  await rm(join(root, 'drafts'), { recursive: true, force: true });
  const closing = new AbortController();
  const shared = { root, trees: new Map(), signal: closing.signal };
  const limit = createLimit(3);
  const pending = new Map<string, Promise<BuildCode>>();
  const recent = new Map<string, BuildCode>();
  const keep = async (name: string, make: Make): Promise<BuildCode> => {
    const known = await readCode(join(root, name));
    const code = known ?? (await limit(async () => make(await import('./make-code.ts'))));
    if (recent.size >= mostRecent) recent.clear();
    recent.set(name, code);
    return code;
  };
  /** Returns the stored code. Calls `make` if there is none, but only once per build. */
  const kept = (name: string, make: Make): BuildCode | Promise<BuildCode> => {
    const found = recent.get(name) ?? pending.get(name);
    if (found !== undefined) return found;
    const made = keep(name, make).finally(() => pending.delete(name));
    pending.set(name, made);
    return made;
  };
  return {
    codeOf: async (build, folder, reachesFiles) => {
      const order = { ...shared, build, folder, at: join(root, build.id) };
      const first = await kept(`${build.id}/code.json`, ({ makeCode }) => makeCode(order));
      if (first.kind === 'snapshot' || !first.isPath || reachesFiles) return first;
      return kept(`${build.id}/elsewhere.json`, ({ makeElsewhere }) => makeElsewhere(order, first));
    },
    snapshotOf: async (buildId) => {
      const known = await Promise.all(files.map((file) => readCode(join(root, buildId, file))));
      return known.find((code) => code?.kind === 'snapshot');
    },
    repository: (buildId) => join(root, buildId, 'code.git'),
    remove: async (buildId) => {
      const names = files.map((file) => `${buildId}/${file}`);
      for (const name of names) await pending.get(name)?.catch(() => undefined);
      for (const name of names) recent.delete(name);
      await removeExisting(join(root, buildId));
    },
    close: async () => {
      closing.abort(new ClosingError('the service is stopping'));
      await Promise.allSettled(pending.values());
    },
  };
}

/** Descriptions of a build's code, and of a snapshot for agents that cannot read local files. */
const files = ['code.json', 'elsewhere.json'] as const;

type Make = (by: typeof MakeCode) => Promise<BuildCode>;

const mostRecent = 1000;

async function readCode(file: string): Promise<BuildCode | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BuildCode;
  } catch {
    return undefined;
  }
}

export function createLimit(most: number): <T>(action: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (action) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      // The next action takes the place of this one, so the number of running actions is unchanged.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
