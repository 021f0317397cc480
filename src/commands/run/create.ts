import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import { callAdmin, type RunRequest } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';
import { git } from '../../git.ts';
import type { PipelineFile } from './pipeline-file.ts';

export interface NewRun {
  readonly file: PipelineFile;
  /** Body of "create a build" (API specification). */
  readonly build: RunBuild;
}

export interface RunBuild {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The build to create: of a checkout, or of a plain folder. */
export const describeRun = async (
  { folder, name }: PipelineFile,
  env: RunBuild['env'],
): Promise<RunBuild> => ({
  commit: (await git.headCommit(folder)) ?? 'HEAD',
  branch: (await git.branch(folder)) ?? 'main',
  message: `cictl run ${name}`,
  env,
});

/** Registers the folder as a pipeline if needed, and creates a build of the file. */
export async function createRun(
  { state, attachedPid: pid }: Hosted,
  { file, build }: NewRun,
): Promise<BuildRef> {
  const { folder, path, isUsual } = file;
  const request: RunRequest = { folder, build, pid, ...(isUsual ? {} : { file: path }) };
  const { number, pipeline } = (await callAdmin(state, 'POST', '/runs', request)) as Build;
  return { org: 'local', pipeline: pipeline?.slug ?? '', number: number ?? 0 };
}
