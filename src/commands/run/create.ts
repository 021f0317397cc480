import type { BuildRef } from '../../api/refs.ts';
import type { Build } from '../../api/resources/build.ts';
import { callAdmin, type RunRequest } from '../../local/admin.ts';
import type { Hosted } from '../../local/daemon/host.ts';
import { git } from '../../refs/git.ts';
import type { PipelineFile } from './file.ts';

export interface NewRun {
  readonly file: PipelineFile;
  /** The build's own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Registers the folder as a pipeline where it is none yet, and creates a build of the file. */
export async function createRun({ state }: Hosted, { file, env }: NewRun): Promise<BuildRef> {
  const { folder, path, name } = file;
  const build = { ...(await source(folder)), message: `cictl run ${name}`, env };
  const request: RunRequest = { folder, file: path, build };
  const { number, pipeline } = (await callAdmin(state, 'POST', '/runs', request)) as Build;
  return { org: 'local', pipeline: pipeline?.slug ?? '', number: number ?? 0 };
}

/** Commit and branch of the checkout; a folder that is none has names for them all the same. */
const source = async (folder: string): Promise<{ commit: string; branch: string }> => ({
  commit: (await git.headCommit(folder)) ?? 'HEAD',
  branch: (await git.branch(folder)) ?? 'main',
});
