/** The variables that conditions can use: `build.*`, `pipeline.*`, `organization.*`. */
import type { BuildFacts, Person } from '../environment.ts';

export type ConditionValue = string | number | boolean | null | readonly string[];

export interface ConditionContext {
  /** Keyed by full name, such as `build.branch`. */
  readonly values: Readonly<Record<string, ConditionValue>>;
  /** The variables that `build.env("X")` can read. */
  readonly env: Readonly<Record<string, string>>;
}

interface ConditionVariable {
  readonly type: 'string' | 'integer' | 'boolean' | 'list';
  /** All values that the variable can have. Comparing it with any other string is an error. */
  readonly words?: readonly string[];
}

const text: ConditionVariable = { type: 'string' };
const flag: ConditionVariable = { type: 'boolean' };
const list: ConditionVariable = { type: 'list' };
const words = (all: string): ConditionVariable => ({ type: 'string', words: all.split(' ') });

export const conditionVariables: Readonly<Record<string, ConditionVariable>> = {
  'build.id': text,
  'build.number': { type: 'integer' },
  'build.state': words(
    'creating started scheduled running passed failed failing started_failing blocked canceling canceled skipped not_run',
  ),
  'build.blocked_state': words('passed failed running'),
  'build.fixed': flag,
  'build.source': words('ui api webhook trigger_job schedule pipeline_trigger'),
  'build.source_event': text,
  'build.source_action': text,
  'build.branch': text,
  'build.tag': text,
  'build.message': text,
  'build.commit': text,
  'build.creator.id': text,
  'build.creator.name': text,
  'build.creator.email': text,
  'build.creator.teams': list,
  'build.creator.verified': flag,
  'build.author.id': text,
  'build.author.name': text,
  'build.author.email': text,
  'build.author.teams': list,
  'build.scm.author.name': text,
  'build.scm.author.email': text,
  'build.scm.committer.name': text,
  'build.scm.committer.email': text,
  'build.pull_request.id': text,
  'build.pull_request.base_branch': text,
  'build.pull_request.draft': flag,
  'build.pull_request.label': text,
  'build.pull_request.labels': list,
  'build.pull_request.repository': text,
  'build.pull_request.repository.fork': flag,
  'build.merge_queue.base_branch': text,
  'build.merge_queue.base_commit': text,
  'pipeline.id': text,
  'pipeline.slug': text,
  'pipeline.default_branch': text,
  'pipeline.repository': text,
  'pipeline.started_passing': flag,
  'pipeline.started_failing': flag,
  'organization.id': text,
  'organization.slug': text,
};

/**
 * Returns the values of all condition variables for a build. `env` contains the build's environment
 * variables. Some values, such as `build.tag`, come from `env`.
 */
export function conditionContext(
  { organization, organizationId, pipeline, build }: BuildFacts,
  env: Readonly<Record<string, string>>,
): ConditionContext {
  const given = (name: string): string | null =>
    (Object.hasOwn(env, name) ? env[name] : undefined) || null;
  const labels = given('BUILDKITE_PULL_REQUEST_LABELS');
  return {
    env,
    values: {
      'build.id': build.id,
      'build.number': build.number,
      'build.state': 'running',
      'build.source': build.source,
      'build.branch': build.branch,
      'build.tag': given('BUILDKITE_TAG'),
      'build.message': build.message || null,
      'build.commit': build.commit,
      ...person('build.creator', build.creator),
      ...person('build.author', build.author ?? build.creator),
      'build.pull_request.id': textOf(build.pullRequest?.id),
      'build.pull_request.base_branch': build.pullRequest?.base || null,
      'build.pull_request.draft': flagOf(given('BUILDKITE_PULL_REQUEST_DRAFT')),
      'build.pull_request.labels': labels?.split(',') ?? [],
      'build.pull_request.repository': build.pullRequest?.repository || null,
      'pipeline.id': pipeline.id,
      'pipeline.slug': pipeline.slug,
      'pipeline.default_branch': pipeline.defaultBranch || null,
      'pipeline.repository': pipeline.repository || null,
      'organization.id': organizationId ?? null,
      'organization.slug': organization,
    },
  };
}

const person = (name: string, who: Person | null | undefined): Record<string, ConditionValue> => ({
  [`${name}.id`]: who?.id ?? null,
  [`${name}.name`]: who?.name || null,
  [`${name}.email`]: who?.email || null,
  [`${name}.teams`]: [],
});

const textOf = (value: string | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

const flagOf = (word: string | null): boolean | null => (word === null ? null : word === 'true');
