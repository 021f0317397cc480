/** The steps of a pipeline, from the file in its folder. Loaded when the first build is made. */
import { CictlError } from '../../errors.ts';
import type { Pipeline } from '../domain/records.ts';
import { Refusal } from '../domain/refusal.ts';
import type { BuildFacts } from '../pipeline/environment.ts';
import { changedFiles } from '../pipeline/changed-files.ts';
import { loadPipelineOffThread } from '../pipeline/load-off-thread.ts';
import type { LoadOptions } from '../pipeline/load.ts';
import type { Plan } from '../pipeline/plan.ts';
import { variablesOf } from './environment.ts';
import type { RunOptions } from '../run-options.ts';
import { readPipelineFile, type PipelineFile } from './pipeline-file.ts';

/** What is known of the build that the file is read for. */
export interface PlanReading {
  readonly facts: BuildFacts;
  /** What the creator of the build gave. */
  readonly env: Readonly<Record<string, string>>;
  /** What jobs get of the variables of this machine. */
  readonly host: Readonly<Record<string, string>>;
  /** Keys that the build has already. */
  readonly keys?: readonly string[];
  /** No variables are put in. */
  readonly isLiteral?: boolean;
  readonly allowUnknownKeys?: boolean;
  readonly ignoreMissingDependencies?: boolean;
  readonly changes?: GivenChanges;
  /** The build does not use the files of the directory, but those of its commit. */
  readonly isOfCommit?: boolean;
  /** This process has read the same file just now: it need not be afraid of it, and starts no thread. */
  readonly isKnownHere?: boolean | undefined;
}

/** What is known of changed files without git. */
export interface GivenChanges {
  /** Steps with `if_changed` run, whatever has changed. */
  readonly areIgnored?: boolean;
  /** The revision to compare with. */
  readonly base?: string | undefined;
  readonly files?: readonly string[] | undefined;
}

/** What the run of a build tolerates in pipeline files. */
export const acceptedOf = ({
  allowUnknownKeys = false,
  ignoreMissingDependencies = false,
}: RunOptions) => ({ allowUnknownKeys, ignoreMissingDependencies });

/** `given` is read in place of the file. Rejects with `Refusal` with all that is wrong with it. */
export async function readPlan(
  pipeline: Pick<Pipeline, 'folder' | 'file'>,
  given: PipelineFile | undefined,
  { facts, env, changes = {}, isOfCommit = false, isKnownHere = false, ...reading }: PlanReading,
): Promise<Plan> {
  const { path, text } = given ?? fileOf(pipeline);
  const changed = await changedFor(text, pipeline.folder, facts, {
    ...changes,
    base: changes.base ?? env['BUILDKITE_GIT_DIFF_BASE'],
    commit: isOfCommit ? facts.build.commit : undefined,
  });
  const options = { file: path, env: variablesOf(facts, env), facts, ...reading, ...changed };
  const load = isKnownHere ? loadHere : loadPipelineOffThread;
  return orRefusal(() => load(text, options));
}

const loadHere = async (text: string, options: LoadOptions): Promise<Plan> =>
  (await import('../pipeline/load.ts')).loadPipeline(text, options);

/** What is wrong with a file is a refusal, a line a problem. */
export async function orRefusal<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new Refusal('invalid', [error.message, ...error.details].join('\n'));
  }
}

/** Git is asked only for a file that depends on it. */
async function changedFor(
  text: string,
  folder: string,
  { pipeline, build }: BuildFacts,
  {
    areIgnored,
    base,
    commit,
    files: given,
  }: GivenChanges & { readonly commit: string | undefined },
): Promise<Pick<LoadOptions, 'changedFiles' | 'changesUnknown'>> {
  if (!text.includes('if_changed')) return {};
  if (areIgnored === true) return { changesUnknown: '--apply-if-changed=false' };
  if (given !== undefined) return { changedFiles: given };
  const { files, reason } = await changedFiles(folder, {
    defaultBranch: pipeline.defaultBranch,
    pullRequestBase: build.pullRequest?.base,
    revision: base,
    commit,
  });
  return files === null ? { changesUnknown: reason } : { changedFiles: files };
}

function fileOf(pipeline: Pick<Pipeline, 'folder' | 'file'>): PipelineFile {
  const found = readPipelineFile(pipeline);
  if (found !== undefined) return found;
  const place = pipeline.file ?? pipeline.folder;
  throw new Refusal('invalid', `There is no pipeline file in ${place}`);
}
