/** The same files are on disk once: snapshots of one tree share its pack. */
import { link, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The newest snapshot of each pipeline, by its id. */
export type KnownTrees = Map<string, KnownTree>;

export interface KnownTree {
  /** SHA. */
  readonly tree: string;
  /** Absolute folder with its pack. */
  readonly packs: string;
}

/** Whether the pack of the same tree could be had from the snapshot before; `target` is a folder. */
export async function linkPacks(
  known: KnownTree | undefined,
  tree: string,
  target: string,
): Promise<boolean> {
  if (known?.tree !== tree) return false;
  try {
    const names = await readdir(known.packs);
    for (const name of names) await link(join(known.packs, name), join(target, name));
    return true;
  } catch {
    // It was removed meanwhile, or the disk knows no links; what is there twice does no harm.
    return false;
  }
}
