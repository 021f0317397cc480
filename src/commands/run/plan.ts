/** Checks the pipeline file before anything runs, or prints the plan for `--plan`. */
import { basename } from 'node:path';
import { unlessAborted } from '../../common/abort.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { git } from '../../common/git.ts';
import {
  buildVariables,
  folderVariables,
  type BuildFacts,
} from '../../service/pipeline/environment.ts';
import { loadPipeline, type LoadOptions } from '../../service/pipeline/load.ts';
import type { Plan, Step } from '../../service/pipeline/plan.ts';
import { defaultBranchOf } from '../../service/git.ts';
import { hostVariables } from '../../service/runner/host-variables.ts';
import { quoted } from '../../triage/quoted.ts';
import type { NewRun, WantedRun } from './create.ts';
import type { PipelineFile } from './pipeline-file.ts';
import { stepResource } from './index.ts';
import { needsOf, type Need } from '../../service/domain/needs.ts';

/** The plan of a file. If the file is invalid, exit code 2 with the position of each problem. */
export async function checkPipeline(
  { file, build, settings }: WantedRun,
  { env: hostEnv, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<Plan> {
  const facts = plannedFacts(
    { file, build },
    {
      repository: await repositoryOf(file),
      defaultBranch: await branchOf(file),
    },
  );
  const env = { ...build.env, ...buildVariables(facts) };
  const isInPlace = (settings.workspace ?? 'inplace') === 'inplace';
  const host = {
    ...hostVariables(hostEnv),
    ...settings.hostEnv,
    ...(isInPlace && folderVariables(file.folder)),
  };
  const changes = await changesOf({ file, build }, facts);
  const { allowUnknownKeys = false, ignoreMissingDependencies = false } = settings.options;
  const options = {
    ...{ file: file.name, env, host, facts, ...changes },
    ...{ allowUnknownKeys, ignoreMissingDependencies },
  };
  try {
    if (file.text.length < largeFile) return loadPipeline(file.text, options);
    const { loadPipelineOffThread } = await import('../../service/pipeline/load-off-thread.ts');
    return await unlessAborted(signal, loadPipelineOffThread(file.text, options));
  } catch (error) {
    throw error instanceof CictlError ? withHint(error, file, options) : error;
  }
}

/** Maximum number of characters. Parsing larger files would delay Ctrl-C too much. */
const largeFile = 64 * 1024;

/** Suggests flags with which the file would be accepted. Misspelled names have their own hint. */
function withHint(error: CictlError, { name, isUsual }: PipelineFile, given: LoadOptions) {
  const { message, details } = error;
  const flags = details.map((line) => accepting.find(([problem]) => problem.test(line))?.[1]);
  if (error.kind !== 'usage' || flags.length === 0 || flags.includes(undefined)) return error;
  const all = [
    ...(given.allowUnknownKeys === true ? ['--allow-unknown-keys'] : []),
    ...(given.ignoreMissingDependencies === true ? ['--ignore-missing-dependencies'] : []),
    ...flags,
  ];
  const words = ['cictl', 'run', ...(isUsual ? [] : [quoted(name)]), ...new Set(all)];
  return new CictlError('usage', message, { details, hint: words.join(' '), cause: error });
}

const accepting = [
  [/: unknown key `[^`]*` in [^;]*$/, '--allow-unknown-keys'],
  [/ has the key `[^`]*`$/, '--ignore-missing-dependencies'],
] as const;

/** The changed files for `if_changed`. Does not start git if the file has no `if_changed`. */
async function changesOf(
  { file: { text, folder }, build }: NewRun,
  { pipeline: { defaultBranch } }: BuildFacts,
): Promise<Pick<LoadOptions, 'changedFiles' | 'changesUnknown'>> {
  if (!text.includes('if_changed')) return {};
  const { changedFiles } = await import('../../service/pipeline/changed-files.ts');
  const { files, reason } = await changedFiles(folder, {
    defaultBranch,
    revision: build.env['BUILDKITE_GIT_DIFF_BASE'],
  });
  return files === null ? { changesUnknown: reason } : { changedFiles: files };
}

/** Prints the jobs in order, or a Mermaid flowchart. Does not run anything. */
export async function printPlan(
  plan: Plan,
  { out }: Context,
  { graph = false } = {},
): Promise<void> {
  if (!graph) return out.list(stepResource, planRows(plan));
  const { planGraph } = await import('./plan-graph.ts');
  for (const line of planGraph(plan).trimEnd().split('\n')) await out.line(line);
}

/** Properties of a build that has not been created and therefore has no number, ID or URL. */
function plannedFacts(
  { file, build }: NewRun,
  known: Pick<BuildFacts['pipeline'], 'repository' | 'defaultBranch'>,
): BuildFacts {
  const slug = basename(file.folder);
  const planned = { number: 0, url: '', source: 'api' };
  return {
    organization: 'local',
    pipeline: { ...known, id: '', slug, name: slug, provider: 'local' },
    build: {
      ...{ id: '', ...build, ...planned, tag: build.env['BUILDKITE_TAG'] },
      pullRequest: pullRequestOf(build),
    },
  };
}

const pullRequestOf = (build: NewRun['build']) =>
  build.pull_request_id === undefined
    ? null
    : {
        id: String(build.pull_request_id),
        base: build.pull_request_base_branch ?? null,
        repository: build.pull_request_repository ?? null,
      };

/** Starts git only if the file needs the result. */
async function repositoryOf({ text, folder }: NewRun['file']): Promise<string> {
  const isAsked = /BUILDKITE_REPO|pipeline\.repository/.test(text);
  return (isAsked ? await git.remote(folder) : undefined) ?? '';
}

async function branchOf({ text, folder }: NewRun['file']): Promise<string> {
  const isAsked = /DEFAULT_BRANCH|default_branch|if_changed/.test(text);
  return isAsked ? defaultBranchOf(folder) : '';
}

// The jobs of a plan for `run --plan`, as plain data with stable names.

/** Returns one object per job, in the order of the file. */
export function planRows({ steps }: Plan): object[] {
  const needs = needsOf(steps);
  return steps.map((step, index) => {
    const waits = namesOf(steps, needs[index] ?? []);
    const { line, type, key, label, omitted, group, definition, ...rest } = step;
    return {
      ...{ number: index + 1, line, type, key, label, command: null },
      needs: waits.map(({ name, allow_failure: may }) => (may ? `${name} (may fail)` : name)),
      step: definition,
      variant: variantOf(step),
      omitted,
      group: group && { key: group.key, label: group.label },
      depends_on: waits,
      allow_dependency_failure: rest.allowDependencyFailure,
      ...inSnakeCase({ ...rest, dependsOn: waits }),
    };
  });
}

const stepName = ({ key, label, type, line }: Step): string =>
  key ?? label ?? `${type} on line ${line}`;

interface ShownDependency {
  readonly name: string;
  /** Null if the step has no key. */
  readonly key: string | null;
  /** Null if `key` is set, because several steps may have the same key. */
  readonly line: number | null;
  readonly allow_failure: boolean;
  /** Whether the dependency follows from the order of the steps in the file. */
  readonly implicit: boolean;
}

/** Lists each dependency once, even if a step has several jobs. */
function namesOf(steps: readonly Step[], needs: readonly Need[]): ShownDependency[] {
  const seen = new Set<number>();
  return needs.flatMap(({ list, key, allowFailure }): ShownDependency[] => {
    const allow_failure = allowFailure;
    if (key !== null) return [{ name: key, key, line: null, allow_failure, implicit: false }];
    return list.steps.flatMap((index) => {
      const step = steps[index];
      if (step === undefined || seen.has(step.definition)) return [];
      seen.add(step.definition);
      const { key: own, line } = step;
      return [{ name: stepName(step), key: own, line, allow_failure, implicit: true }];
    });
  });
}

/** Distinguishes the jobs of a step: `1/3`, or matrix values. */
function variantOf(step: Step): string | null {
  if (step.type !== 'command') return null;
  if (step.parallel !== null) return `${step.parallel.index + 1}/${step.parallel.total}`;
  if (step.matrix === null) return null;
  return Object.entries(step.matrix)
    .map(([name, value]) => (name === '' ? value : `${name}=${value}`))
    .join(' ');
}

/** Attributes whose keys are chosen by the user. */
const namedByUsers = new Set(['env', 'matrix', 'metaData', 'plugins']);

/** Converts all keys, so that new attributes of a step need no change here. */
const inSnakeCase = (members: object): object =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      namedByUsers.has(name) ? value : withMembersRenamed(value),
    ]),
  );

function withMembersRenamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMembersRenamed);
  return typeof value === 'object' && value !== null ? inSnakeCase(value) : value;
}
