/** The code of builds for agents elsewhere: found or made once a build, and kept in its folder. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Build } from '../domain/records.ts';
import { removeExisting } from '../store/files.ts';
import { createLimit } from './few-at-once.ts';
import type * as MakeCode from './make-code.ts';

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

export interface Snapshots {
  /**
   * `folder` is that of the pipeline. Whoever does not reach the files of this machine gets a
   * snapshot in place of a repository that is a folder of it. Throws one line.
   */
  codeOf(build: CodeOfBuild, folder: string, reachesFiles: boolean): Promise<BuildCode>;
  /** The snapshot of a build; undefined where it has none. */
  snapshotOf(buildId: string): Promise<SnapshotCode | undefined>;
  /** The bare repository with it. */
  repository(buildId: string): string;
  remove(buildId: string): Promise<void>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** The service ends: the same is to be had of the next one. */
export class ClosingError extends Error {
  override readonly name = 'ClosingError';
}

/** In the folder `snapshots` of a data folder that nobody else uses. */
export async function openSnapshots(dataDir: string): Promise<Snapshots> {
  const root = join(dataDir, 'snapshots');
  // Left by a service that was killed.
  await rm(join(root, 'drafts'), { recursive: true, force: true });
  const closing = new AbortController();
  const { codeOf, settled, drop } = codes(root, closing.signal);
  return {
    codeOf,
    snapshotOf: async (buildId) => {
      const known = await Promise.all(files.map((file) => readCode(join(root, buildId, file))));
      return known.find((code) => code?.kind === 'snapshot');
    },
    repository: (buildId) => join(root, buildId, 'code.git'),
    remove: async (buildId) => {
      for (const file of files) await settled(`${buildId}/${file}`);
      drop(buildId);
      await removeExisting(join(root, buildId));
    },
    close: async () => {
      closing.abort(new ClosingError('the service is being stopped'));
      await settled();
    },
  };
}

/** What a build has, and what it has besides for those who do not reach the files of this machine. */
const files = ['code.json', 'elsewhere.json'] as const;

function codes(root: string, signal: AbortSignal) {
  const shared = { root, trees: new Map(), signal };
  const limit = createLimit(mostAtOnce);
  const { once, settled } = createUnderWay<BuildCode>();
  const recent = new Map<string, BuildCode>();
  /** What is written down, else what `make` comes to. All jobs of a build ask for it. */
  const kept = ({ id }: CodeOfBuild, file: (typeof files)[number], make: Make) =>
    recent.get(`${id}/${file}`) ??
    once(`${id}/${file}`, async () => {
      const known = await readCode(join(root, id, file));
      const code = known ?? (await limit(async () => make(await import('./make-code.ts'))));
      if (recent.size >= mostRecent) recent.clear();
      recent.set(`${id}/${file}`, code);
      return code;
    });
  const drop = (id: string): void => files.forEach((file) => recent.delete(`${id}/${file}`));
  const codeOf: Snapshots['codeOf'] = async (build, folder, reachesFiles) => {
    const order = { ...shared, build, folder, at: join(root, build.id) };
    const first = await kept(build, 'code.json', ({ makeCode }) => makeCode(order));
    if (first.kind === 'snapshot' || !first.isPath || reachesFiles) return first;
    return kept(build, 'elsewhere.json', ({ makeElsewhere }) => makeElsewhere(order, first));
  };
  return { codeOf, settled, drop };
}

type Make = (by: typeof MakeCode) => Promise<BuildCode>;

/** How many builds are remembered. */
const mostRecent = 1000;

/** Each runs a few processes of git. */
const mostAtOnce = 3;

/** Written by this service alone, in one step. */
async function readCode(file: string): Promise<BuildCode | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as BuildCode;
  } catch {
    return undefined;
  }
}

/** Where agents get the code of a build from: written down once, the same for all of its jobs. */
export type BuildCode = RepositoryCode | SnapshotCode;

export interface RepositoryCode {
  readonly kind: 'repository';
  /** What git clones, without a password. */
  readonly address: string;
  /** It is a folder of this machine, which agents elsewhere do not reach. */
  readonly isPath: boolean;
  /** Full SHA, or as the build names it where the checkout here does not know it. */
  readonly commit: string;
  /** What to fetch where the branch of the build does not lead to the commit there. */
  readonly refspec: string | null;
}

/** A commit of its own, in a bare repository that this service serves. */
export interface SnapshotCode {
  readonly kind: 'snapshot';
  /** Full SHA of that commit. */
  readonly commit: string;
  /** The one branch of that repository. */
  readonly branch: string;
  /** SHA of what it consists of: the same for the same files. */
  readonly tree: string;
}

/** Work that several may ask for at the same time, and that is done once. */
interface UnderWay<T> {
  /** What is under way by that name, else what `make` begins. */
  readonly once: (name: string, make: () => Promise<T>) => Promise<T>;
  /** Resolves when nothing of that name, or of any, is under way. */
  readonly settled: (name?: string) => Promise<void>;
}

function createUnderWay<T>(): UnderWay<T> {
  const all = new Map<string, Promise<T>>();
  return {
    once: (name, make) => {
      const found = all.get(name);
      if (found !== undefined) return found;
      const made = make().finally(() => all.delete(name));
      all.set(name, made);
      return made;
    },
    settled: async (name) => {
      const wanted = [...all].filter(([one]) => name === undefined || one === name);
      await Promise.allSettled(wanted.map(([, promise]) => promise));
    },
  };
}
