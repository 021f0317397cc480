/** Finds the code of a build, makes a snapshot where it is only here, and writes down which it is. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';
import type { BuildCode, RepositoryCode, SnapshotCode, CodeOfBuild } from './snapshots.ts';
import { findCode, readCheckout, type LocalCode } from './find-code.ts';
import { type KnownTrees, makeSnapshot } from './make-snapshot.ts';

export interface CodeOrder {
  readonly build: CodeOfBuild;
  /** Absolute folder of the pipeline. */
  readonly folder: string;
  /** Folder of all snapshots. */
  readonly root: string;
  /** Folder for that of this build. */
  readonly at: string;
  readonly trees: KnownTrees;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Throws one line. */
export async function makeCode(order: CodeOrder): Promise<BuildCode> {
  order.signal.throwIfAborted();
  const found = await findCode(order.folder, order.build);
  const code = found.kind === 'repository' ? found : await snapshot(order, found);
  return writeCode(order, 'code.json', code);
}

/** A snapshot of what is in a repository that is a folder of this machine. */
export async function makeElsewhere(
  order: CodeOrder,
  { commit }: RepositoryCode,
): Promise<BuildCode> {
  const { checkout } = await readCheckout(order.folder);
  const code = await snapshot(order, { kind: 'local', tree: `${commit}^{tree}`, checkout });
  return writeCode(order, 'elsewhere.json', code);
}

async function snapshot(order: CodeOrder, local: LocalCode): Promise<SnapshotCode> {
  const { root, at, build } = order;
  const draft = join(root, 'drafts', randomUUID());
  try {
    await makeFolder(draft, 0o700);
    const except = join(root, '..');
    const code = await makeSnapshot({ ...order, local, draft, except });
    await makeFolder(at, 0o700);
    // Left where the service was killed before the code was written down.
    await rm(join(at, 'code.git'), { recursive: true, force: true });
    await rename(join(draft, 'code.git'), join(at, 'code.git'));
    const packs = join(at, 'code.git/objects/pack');
    order.trees.set(build.pipelineId, { tree: code.tree, packs });
    return code;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** At once and in one step: the files of logs that come meanwhile would keep it waiting. */
function writeCode<T extends BuildCode>({ at }: CodeOrder, file: string, code: T): T {
  mkdirSync(at, { recursive: true, mode: 0o700 });
  const draft = join(at, `${file}.part`);
  writeFileSync(draft, `${JSON.stringify(code)}\n`, { mode: 0o600 });
  renameSync(draft, join(at, file));
  return code;
}
