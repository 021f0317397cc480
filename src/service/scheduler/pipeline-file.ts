/** Where the steps of a pipeline are written. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pipeline } from '../domain/records.ts';

export interface PipelineFile {
  readonly path: string;
  readonly text: string;
}

const extensions = ['yml', 'yaml', 'json'];
const candidates = [
  ...extensions.map((extension) => `.buildkite/pipeline.${extension}`),
  ...extensions.map((extension) => `pipeline.${extension}`),
];

/** The file as it is now; undefined where there is none. */
export const pipelineFile = ({
  folder,
  file,
}: Pick<Pipeline, 'folder' | 'file'>): PipelineFile | undefined =>
  file === null ? findIn(folder) : readAt(file);

function findIn(folder: string): PipelineFile | undefined {
  for (const candidate of candidates) {
    const found = readAt(join(folder, candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A pipe counts as nothing: the whole service would wait for somebody to write to it. */
function readAt(path: string): PipelineFile | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    return { path, text: readFileSync(path, 'utf8') };
  } catch {
    return undefined;
  }
}
