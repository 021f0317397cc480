/** The content of artifacts. Each build has a directory with one file per artifact. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';
import type { Artifact } from '../domain/records.ts';
import { removeExisting, writeChunk } from './files.ts';

type Named = Pick<Artifact, 'id' | 'buildId'>;

/** Thrown if the content does not have the expected size. */
export class WrongSizeError extends Error {
  override readonly name = 'WrongSizeError';
}

export type ArtifactFiles = Awaited<ReturnType<typeof openArtifactFiles>>;

/** The caller must hold the lock on the data directory. */
export async function openArtifactFiles(dataDir: string) {
  const root = join(dataDir, 'artifacts');
  const drafts = join(root, 'drafts');
  // Removes drafts that a killed service may have left.
  await rm(drafts, { recursive: true, force: true });
  await makeFolder(drafts, 0o700);
  const folder = (buildId: string): string => join(root, buildId);
  const file = ({ buildId, id }: Named): string => join(folder(buildId), id);
  return {
    /** Size in bytes; undefined if the artifact is missing or incomplete. */
    size: (artifact: Named): Promise<number | undefined> =>
      stat(file(artifact)).then(
        ({ size }) => size,
        () => undefined,
      ),
    /** Reads the bytes from `first` to `last` (inclusive); without a range, the entire file. */
    read: (
      artifact: Named,
      range?: { readonly first: number; readonly last: number } | null,
    ): AsyncIterable<Uint8Array> =>
      createReadStream(file(artifact), range ? { start: range.first, end: range.last } : {}),
    /**
     * Leaves no file if the content is incomplete. Throws `WrongSizeError` or file system errors.
     */
    write: async (
      artifact: Named & Pick<Artifact, 'fileSize'>,
      content: AsyncIterable<Uint8Array>,
    ): Promise<void> => {
      await makeFolder(folder(artifact.buildId), 0o700);
      const draft = join(drafts, randomUUID());
      try {
        await writeDraft(draft, artifact.fileSize, content);
        await rename(draft, file(artifact));
      } finally {
        await rm(draft, { force: true });
      }
    },
    remove: (artifact: Named): Promise<void> => rm(file(artifact), { force: true }),
    removeBuild: (buildId: string): Promise<void> => removeExisting(folder(buildId)),
  };
}

async function writeDraft(
  path: string,
  size: number,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let written = 0;
    for await (const chunk of content) {
      written += chunk.byteLength;
      if (written > size) throw new WrongSizeError(`more than the declared ${size} bytes`);
      await writeChunk(file, chunk);
    }
    if (written < size) throw new WrongSizeError(`only ${written} of the declared ${size} bytes`);
  } finally {
    await file.close();
  }
}
