/** `buildkite-agent pipeline upload`: a running job adds steps to its build. */
import { findJob } from '../domain/find-job.ts';
import type { Tree } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import { uploadSteps } from '../domain/upload.ts';
import { fillInOffThread } from '../pipeline/load-off-thread.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { RequestOfJob } from '../store/tables/applied-requests.ts';
import { isOfCommit } from '../snapshots/find-code.ts';
import { chooseSteps } from './choose-steps.ts';
import { knownSecrets } from './known-secrets.ts';
import { factsFromStore, variablesOf } from './environment.ts';
import type { BuildParts } from './make-build.ts';
import { acceptedOf, orRefusal, readPlan, type GivenChanges } from './read-plan.ts';

export interface PipelineUpload {
  readonly text: string;
  readonly file: string;
  /** The job's environment, for interpolation. Null disables interpolation. */
  readonly env: Readonly<Record<string, string>> | null;
  /** Whether to remove the jobs that have not started. */
  readonly replace: boolean;
  /** Changed files for `if_changed`. By default, git determines them. */
  readonly changes?: GivenChanges;
}

/** Idempotent. If there are problems, throws `Refusal` and leaves the build unchanged. */
export async function uploadPipeline(
  service: BuildParts,
  uploader: RequestOfJob,
  upload: PipelineUpload,
): Promise<void> {
  const { clock, newId, engine, store } = service;
  const { buildId, jobId } = uploader;
  // Checked first, because a repeated upload would conflict with the keys that it added before.
  if (store.appliedRequests.has(uploader)) return;
  const plan = await readUpload(service, buildId, upload);
  engine.change(buildId, (tree) => {
    if (store.appliedRequests.has(uploader)) return tree;
    // The job may have ended in the meantime.
    if (findJob(tree, jobId)?.state !== 'running')
      throw new Refusal('invalid', 'Only a running job can upload steps');
    store.appliedRequests.add(uploader);
    return uploadSteps(tree, jobId, { plan, replace: upload.replace }, clock.now(), newId);
  });
}

/** Returns the file after interpolation. Throws `Refusal`. */
export async function showUpload(
  { store, urls, host }: BuildParts,
  buildId: string,
  { text, file, env }: PipelineUpload,
  format: 'json' | 'yaml',
): Promise<string> {
  const tree = store.builds.tree(buildId);
  if (tree === undefined) throw new Refusal('invalid', 'The build no longer exists');
  const { facts } = factsFromStore({ store, urls }, tree);
  const ofHost = { ...host, ...tree.build.hostEnv };
  const variables = variablesOf(facts, ofJob(env ?? {}, {}));
  const options = { file, env: variables, host: ofHost, isLiteral: env === null };
  return orRefusal(() => fillInOffThread(text, options, format));
}

async function readUpload(
  { store, urls, host }: BuildParts,
  buildId: string,
  { text, file, env, changes = {} }: PipelineUpload,
): Promise<Plan> {
  const tree = store.builds.tree(buildId);
  if (tree === undefined) throw new Refusal('invalid', 'The build no longer exists');
  const { build } = tree;
  const { facts, pipeline } = factsFromStore({ store, urls }, tree);
  const ofHost = { ...host, ...build.hostEnv };
  const given = { path: file, text };
  const plan = await readPlan(pipeline, given, {
    ...{ facts, host: ofHost, keys: keysOf(tree) },
    env: ofJob(env ?? {}, ofHost),
    ...{ isLiteral: env === null, changes, isOfCommit: isOfCommit(build) },
    ...acceptedOf(build.options),
  });
  const slugs = store.pipelines.list(build.organizationId).map(({ slug }) => slug);
  const options = { ...build.options, secrets: knownSecrets(store, build) };
  return chooseSteps(plan, options, slugs, undefined);
}

const keysOf = ({ plan }: Tree): string[] => [
  ...new Set(plan.steps.flatMap(({ key, group }) => [key ?? [], group?.key ?? []].flat())),
];

/** Removes variables that each job sets itself, so that the shell of the new job expands them. */
const ofJob = (
  env: Readonly<Record<string, string>>,
  host: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !Object.hasOwn(host, name) && !ofProcess.test(name)),
  );

/** Variables that are private or differ between jobs. */
const ofProcess =
  /^(PWD|OLDPWD|SHLVL|_|CICTL_TOKEN|BUILDKITE_AGENT_ACCESS_TOKEN|BUILDKITE_AGENT_ENDPOINT|BUILDKITE_ENV_FILE)$/;
