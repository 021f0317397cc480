import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../common/attempt.ts';
import type { Pipeline } from '../domain/records.ts';
import { decodePipeline, readPipelineBytes } from '../pipeline/pipeline-bytes.ts';

export interface PipelineFile {
  readonly path: string;
  readonly text: string;
}

/** Paths of the pipeline file in a directory; the first one that exists is used. */
export const pipelineFiles = ['.buildkite', '.'].flatMap((folder) =>
  ['yml', 'yaml', 'json'].map((extension) => join(folder, `pipeline.${extension}`)),
);

export const findPipelineFile = (folder: string): string | undefined =>
  pipelineFiles.map((candidate) => join(folder, candidate)).find(isFile);

/** Reads at most one byte more than the limit, which loading rejects; undefined if unreadable. */
export function readPipelineFile({
  folder,
  file,
}: Pick<Pipeline, 'folder' | 'file'>): PipelineFile | undefined {
  const path = file ?? findPipelineFile(folder);
  if (path === undefined || !isFile(path)) return undefined;
  const bytes = attempt(() => readPipelineBytes(path));
  if (bytes === undefined) return undefined;
  // Loading rejects text that is truncated or not UTF-8.
  return { path, text: attempt(() => decodePipeline(bytes)) ?? bytes.toString('utf8') };
}

/** False for pipes, because reading one would block the service. */
const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) === true;
