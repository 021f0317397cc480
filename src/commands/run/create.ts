import type { Build } from '../../api/resources/build.ts';
import { CictlError } from '../../errors.ts';
import { git } from '../../git.ts';
import { callAdmin, type RunRequest } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import type { MadeBuild } from './build-reader.ts';
import type { RunBuild } from './describe.ts';
import type { PipelineFile } from './pipeline-file.ts';
import { refusedPlan } from './refused-plan.ts';
import type { RunSettings } from './request.ts';

export interface NewRun {
  readonly file: PipelineFile;
  readonly build: RunBuild;
  /** The steps, where they are not those of the file. */
  readonly plan?: Plan;
}

export interface WantedRun extends NewRun {
  readonly settings: RunSettings;
}

/**
 * Registers the folder as a pipeline if needed, and creates a build of the file. Code 2 where the
 * service refuses the pipeline: then nothing has run.
 */
export async function createRun(
  { state, attachedPid: pid }: Hosted,
  { file, build, settings, plan }: WantedRun,
): Promise<MadeBuild> {
  const repository = await git.remote(file.folder);
  const request: RunRequest = {
    ...settings,
    ...(plan === undefined ? sourceOf(file) : { plan }),
    ...{ folder: file.folder, build, pid },
    ...(repository !== undefined && { repository }),
  };
  const made = await callAdmin(state, 'POST', '/runs', request).catch((error: unknown) => {
    throw asUsageError(error, file.name);
  });
  const first = made as Build;
  const { id, number, pipeline } = first;
  const slug = pipeline?.slug ?? '';
  return { org: 'local', pipeline: slug, number: number ?? 0, id: id ?? '', build: first };
}

function sourceOf({ name, path, text, isUsual, isInput }: PipelineFile): Partial<RunRequest> {
  if (isInput) return { text: { name, text } };
  return isUsual ? {} : { file: path };
}

/** What the service does not take of a run is wrong in the file or in the flags. */
function asUsageError(error: unknown, name: string): unknown {
  if (!(error instanceof CictlError) || error.status !== 422) return error;
  const { message, details } = error;
  if (details.length === 0) return refusedPlan(message, name, error);
  return new CictlError('usage', message, { details, cause: error });
}
