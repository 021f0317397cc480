/** The steps of a pipeline, from the file in its folder. Loaded when the first build is made. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CictlError } from '../../errors.ts';
import type { Pipeline } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import { loadPipeline } from '../pipeline/load.ts';
import type { Plan } from '../pipeline/plan.ts';

export type PlanReader = typeof readPlan;

const extensions = ['yml', 'yaml', 'json'];
const places = [
  ...extensions.map((extension) => `.buildkite/pipeline.${extension}`),
  ...extensions.map((extension) => `pipeline.${extension}`),
];

/** Throws `Refusal` with all that is wrong with the file. */
export function readPlan(
  { folder, file }: Pick<Pipeline, 'folder' | 'file'>,
  env: Readonly<Record<string, string>>,
): Plan {
  const found = file === null ? findIn(folder) : readAt(file);
  if (found === undefined)
    throw new Refusal('invalid', `There is no pipeline file in ${file ?? folder}`);
  try {
    return loadPipeline(found.text, { file: found.path, env });
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new Refusal('invalid', [error.message, ...error.details].join('\n'));
  }
}

interface Found {
  readonly path: string;
  readonly text: string;
}

function findIn(folder: string): Found | undefined {
  for (const place of places) {
    const found = readAt(join(folder, place));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A pipe counts as nothing: the whole service would wait for somebody to write to it. */
function readAt(path: string): Found | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    return { path, text: readFileSync(path, 'utf8') };
  } catch {
    return undefined;
  }
}
