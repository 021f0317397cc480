/** The bytes of artifacts: one file each, in a folder for each build. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';
import type { Artifact } from '../domain/records.ts';
import { removeExisting } from './files.ts';

type Named = Pick<Artifact, 'id' | 'buildId'>;

export interface ArtifactFiles {
  /** Bytes; undefined where there is no whole file. */
  size(artifact: Named): Promise<number | undefined>;
  /** All of it, or the bytes from `first` to `last`, counted from 0. */
  read(
    artifact: Named,
    range?: { readonly first: number; readonly last: number } | null,
  ): AsyncIterable<Uint8Array>;
  /**
   * Writes them as they come; what is not whole leaves nothing. Throws `WrongSizeError`, or what the
   * system says.
   */
  write(
    artifact: Named & Pick<Artifact, 'fileSize'>,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void>;
  /** Nothing happens where there is none. */
  remove(artifact: Named): Promise<void>;
  removeBuild(buildId: string): Promise<void>;
}

/** What came is not as long as was announced. */
export class WrongSizeError extends Error {
  override readonly name = 'WrongSizeError';
}

/** Files in the folder `artifacts` of a data folder that nobody else uses. */
export async function openArtifactFiles(dataDir: string): Promise<ArtifactFiles> {
  const root = join(dataDir, 'artifacts');
  const drafts = join(root, 'drafts');
  // Left by a service that was killed.
  await rm(drafts, { recursive: true, force: true });
  await makeFolder(drafts, 0o700);
  const folder = (buildId: string): string => join(root, buildId);
  const file = ({ buildId, id }: Named): string => join(folder(buildId), id);
  return {
    size: (artifact) =>
      stat(file(artifact)).then(
        ({ size }) => size,
        () => undefined,
      ),
    read: (artifact, range) =>
      createReadStream(
        file(artifact),
        range ? { start: range.first, end: range.last } : {},
      ) as AsyncIterable<Uint8Array>,
    write: async (artifact, content) => {
      await makeFolder(folder(artifact.buildId), 0o700);
      await writeWhole(join(drafts, randomUUID()), file(artifact), artifact.fileSize, content);
    },
    remove: (artifact) => rm(file(artifact), { force: true }),
    removeBuild: (buildId) => removeExisting(folder(buildId)),
  };
}

async function writeWhole(
  draft: string,
  path: string,
  size: number,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await writeAll(file, size, content);
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeAll(
  file: FileHandle,
  size: number,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  let written = 0;
  for await (const chunk of content) {
    written += chunk.byteLength;
    if (written > size) throw new WrongSizeError(`more than the ${size} bytes that were announced`);
    await writeChunk(file, chunk);
  }
  if (written < size)
    throw new WrongSizeError(`${written} bytes of the ${size} that were announced`);
}

/** A nearly full disk takes a part of it. */
async function writeChunk(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) {
    const { bytesWritten } = await file.write(chunk, done);
    done += bytesWritten;
  }
}
