/** The code of builds for agents elsewhere: found or made once a build, and kept in its folder. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Build } from '../domain/records.ts';
import type { BuildCode, SnapshotCode } from './build-code.ts';
import { createLimit } from './few-at-once.ts';

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
  const folderOf = (buildId: string): string => join(root, buildId);
  const limit = createLimit(mostAtOnce);
  const closing = new AbortController();
  const shared = { root, trees: new Map(), signal: closing.signal };
  const underWay = new Map<string, Promise<BuildCode>>();
  const once = (key: string, make: () => Promise<BuildCode>): Promise<BuildCode> => {
    const found = underWay.get(key);
    if (found !== undefined) return found;
    const made = make().finally(() => underWay.delete(key));
    underWay.set(key, made);
    return made;
  };
  const codeOf: Snapshots['codeOf'] = async (build, folder, reachesFiles) => {
    const at = folderOf(build.id);
    const first = await once(build.id, async () => {
      const known = await readCode(join(at, 'code.json'));
      if (known !== undefined) return known;
      const { makeCode } = await import('./make-code.ts');
      return limit(() => makeCode({ ...shared, build, folder, at }));
    });
    if (first.kind === 'snapshot' || !first.isPath || reachesFiles) return first;
    return once(`${build.id} elsewhere`, async () => {
      const known = await readCode(join(at, 'elsewhere.json'));
      if (known !== undefined) return known;
      const { makeElsewhere } = await import('./make-code.ts');
      return limit(() => makeElsewhere({ ...shared, build, folder, at }, first));
    });
  };
  return {
    codeOf,
    snapshotOf: async (buildId) => {
      for (const file of ['code.json', 'elsewhere.json']) {
        const code = await readCode(join(folderOf(buildId), file));
        if (code?.kind === 'snapshot') return code;
      }
      return undefined;
    },
    repository: (buildId) => join(folderOf(buildId), 'code.git'),
    remove: async (buildId) => {
      for (const key of [buildId, `${buildId} elsewhere`])
        await underWay.get(key)?.catch(() => undefined);
      await rm(folderOf(buildId), { recursive: true, force: true });
    },
    close: async () => {
      closing.abort(new ClosingError('the service is being stopped'));
      await Promise.allSettled(underWay.values());
    },
  };
}

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
