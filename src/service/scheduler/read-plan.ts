/** Reads pipeline files. This module is only loaded when the first build is created. */
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

export interface PlanReading {
  readonly facts: BuildFacts;
  readonly env: Readonly<Record<string, string>>;
  readonly host: Readonly<Record<string, string>>;
  /** Keys of the steps that the build already has. */
  readonly keys?: readonly string[];
  /** Whether interpolation is disabled. */
  readonly isLiteral?: boolean;
  readonly allowUnknownKeys?: boolean;
  readonly ignoreMissingDependencies?: boolean;
  readonly changes?: GivenChanges;
  /** Whether the build uses the files of its commit instead of the files in the directory. */
  readonly isOfCommit?: boolean;
  /** Whether this process has just parsed the same file. Then no separate thread is needed. */
  readonly isKnownHere?: boolean | undefined;
}

export interface GivenChanges {
  /** Whether steps with `if_changed` run even if their files are unchanged. */
  readonly areIgnored?: boolean;
  readonly base?: string | undefined;
  readonly files?: readonly string[] | undefined;
}

export const acceptedOf = ({
  allowUnknownKeys = false,
  ignoreMissingDependencies = false,
}: RunOptions) => ({ allowUnknownKeys, ignoreMissingDependencies });

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

/** Turns the errors in a file into a `Refusal` with one line per problem. */
export async function orRefusal<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new Refusal('invalid', [error.message, ...error.details].join('\n'));
  }
}

/** Determines the changed files, using git only if the file contains `if_changed`. */
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
  throw new Refusal('invalid', `No pipeline file in ${place}`);
}
