/** The steps of a pipeline, from the file in its folder. Loaded when the first build is made. */
import { CictlError } from '../../errors.ts';
import type { Pipeline } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import { loadPipeline } from '../pipeline/load.ts';
import type { Plan } from '../pipeline/plan.ts';
import { readPipelineFile } from './pipeline-file.ts';

export type PlanReader = typeof readPlan;

/** Throws `Refusal` with all that is wrong with the file. */
export function readPlan(
  pipeline: Pick<Pipeline, 'folder' | 'file'>,
  env: Readonly<Record<string, string>>,
): Plan {
  const found = readPipelineFile(pipeline);
  if (found === undefined)
    throw new Refusal(
      'invalid',
      `There is no pipeline file in ${pipeline.file ?? pipeline.folder}`,
    );
  try {
    return loadPipeline(found.text, { file: found.path, env });
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new Refusal('invalid', [error.message, ...error.details].join('\n'));
  }
}
