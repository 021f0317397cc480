/** Steps that a running job adds to its own build (`buildkite-agent pipeline upload`). */
import { CictlError } from '../../errors.ts';
import { findJob } from '../domain/find-job.ts';
import { Refusal } from '../domain/refusal.ts';
import { uploadSteps } from '../domain/upload.ts';
import { loadPipelineOffThread } from '../pipeline/load-off-thread.ts';
import type { Plan } from '../pipeline/plan.ts';
import { chooseSteps } from './choose-steps.ts';
import { factsFromStore, variablesOf } from './environment.ts';
import type { BuildParts } from './make-build.ts';
import { changedFor } from './read-plan.ts';

export interface PipelineUpload {
  /** The pipeline, YAML or JSON. */
  readonly text: string;
  /** What it is called in messages. */
  readonly file: string;
  /** The environment of the job at the moment, by which its variables are put in; null puts none in. */
  readonly env: Readonly<Record<string, string>> | null;
  /** What has not started in the build is dropped. */
  readonly replace: boolean;
}

/** Throws `Refusal`, a line a problem, where the file is refused; the build is as before then. */
export async function uploadPipeline(
  service: BuildParts,
  { buildId, jobId }: { readonly buildId: string; readonly jobId: string },
  upload: PipelineUpload,
): Promise<void> {
  const { clock, newId, engine } = service;
  const plan = await readUpload(service, buildId, upload);
  engine.change(buildId, (tree) => {
    // It may have ended, or been canceled, while its file was read.
    if (findJob(tree, jobId)?.state !== 'running')
      throw new Refusal('invalid', 'Only a running job can upload steps');
    return uploadSteps(tree, jobId, { plan, replace: upload.replace }, clock.now(), newId);
  });
}

async function readUpload(
  { store, urls, host }: BuildParts,
  buildId: string,
  { text, file, env }: PipelineUpload,
): Promise<Plan> {
  const tree = store.builds.tree(buildId);
  if (tree === undefined) throw new Refusal('invalid', 'The build is gone');
  const { build } = tree;
  const { pipeline, facts } = factsFromStore({ store, urls }, tree);
  const ofHost = { ...host, ...build.hostEnv };
  const known = Object.entries(env ?? {}).filter(([name]) => !Object.hasOwn(ofHost, name));
  const source = env === null ? text.replaceAll('$', () => '$$') : text;
  try {
    const options = {
      ...{ file, facts, host: ofHost },
      env: variablesOf(facts, Object.fromEntries(known)),
      keys: keysOf(tree.plan),
      ...(await changedFor(text, pipeline.folder, facts, build.env)),
    };
    const plan = await loadPipelineOffThread(source, options);
    const slugs = store.pipelines.list(build.organizationId).map(({ slug }) => slug);
    return chooseSteps(plan, build.options, slugs, undefined);
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new Refusal('invalid', [error.message, ...error.details].join('\n'));
  }
}

const keysOf = ({ steps }: Plan): string[] => [
  ...new Set(steps.flatMap(({ key, group }) => [key, group?.key].flatMap((one) => one ?? []))),
];
