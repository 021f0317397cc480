/** Where the steps of a pipeline are written. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pipeline } from '../domain/records.ts';
import { decodePipeline, readPipelineBytes } from '../pipeline/pipeline-bytes.ts';

export interface PipelineFile {
  readonly path: string;
  readonly text: string;
}

/** Where a directory keeps its pipeline; the first file that exists is used. */
export const pipelineFiles = ['.buildkite', '.'].flatMap((folder) =>
  ['yml', 'yaml', 'json'].map((extension) => join(folder, `pipeline.${extension}`)),
);

/** Path of the pipeline file of a folder; undefined where it has none. */
export const findPipelineFile = (folder: string): string | undefined =>
  pipelineFiles.map((candidate) => join(folder, candidate)).find(isFile);

/** The file as it is now, cut off where it is too large; undefined where it cannot be read. */
export function readPipelineFile({
  folder,
  file,
}: Pick<Pipeline, 'folder' | 'file'>): PipelineFile | undefined {
  const path = file ?? findPipelineFile(folder);
  if (path === undefined || !isFile(path)) return undefined;
  try {
    return { path, text: decoded(readPipelineBytes(path)) };
  } catch {
    return undefined;
  }
}

/** What is cut off or no text is refused when it is loaded. */
function decoded(bytes: Buffer): string {
  try {
    return decodePipeline(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

/** A pipe counts as none: the whole service would wait for somebody to write to it. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
