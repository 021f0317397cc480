import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../common/attempt.ts';
import type { Pipeline } from '../domain/records.ts';
import { decodePipeline, readPipelineBytes } from '../pipeline/pipeline-bytes.ts';

export interface PipelineFile {
  readonly path: string;
  readonly text: string;
}

/** Possible paths of the pipeline file in a directory. The first existing file is used. */
export const pipelineFiles = ['.buildkite', '.'].flatMap((folder) =>
  ['yml', 'yaml', 'json'].map((extension) => join(folder, `pipeline.${extension}`)),
);

export const findPipelineFile = (folder: string): string | undefined =>
  pipelineFiles.map((candidate) => join(folder, candidate)).find(isFile);

/** Returns undefined if the file cannot be read. Reads at most one byte too many. */
export function readPipelineFile({
  folder,
  file,
}: Pick<Pipeline, 'folder' | 'file'>): PipelineFile | undefined {
  const path = file ?? findPipelineFile(folder);
  if (path === undefined || !isFile(path)) return undefined;
  const bytes = attempt(() => readPipelineBytes(path));
  if (bytes === undefined) return undefined;
  // `loadPipeline` reports text that is too long or not valid UTF-8.
  return { path, text: attempt(() => decodePipeline(bytes)) ?? bytes.toString('utf8') };
}

/** Returns false for pipes, because reading one would block the service. */
const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) === true;
