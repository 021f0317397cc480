/**
 * The environment of a job: variables of the pipeline, the build and the step, then the standard
 * `BUILDKITE_*` variables. Later ones take precedence. `GET env` returns exactly these variables.
 */
import type { PluginUse } from './plan.ts';

type Variables = Readonly<Record<string, string>>;

/** A variable is omitted if its function returns null or undefined. */
type Table<F> = Readonly<Record<string, (facts: F) => string | number | null | undefined>>;

const ofBuild: Table<BuildFacts> = {
  CI: () => 'true',
  BUILDKITE: () => 'true',
  BUILDKITE_ORGANIZATION_SLUG: ({ organization }) => organization,
  BUILDKITE_PIPELINE_ID: ({ pipeline }) => pipeline.id,
  BUILDKITE_PIPELINE_SLUG: ({ pipeline }) => pipeline.slug,
  BUILDKITE_PIPELINE_NAME: ({ pipeline }) => pipeline.name,
  BUILDKITE_PIPELINE_DEFAULT_BRANCH: ({ pipeline }) => pipeline.defaultBranch,
  BUILDKITE_PIPELINE_PROVIDER: ({ pipeline }) => pipeline.provider,
  BUILDKITE_PROJECT_PROVIDER: ({ pipeline }) => pipeline.provider,
  BUILDKITE_PROJECT_SLUG: ({ organization, pipeline }) => `${organization}/${pipeline.slug}`,
  BUILDKITE_REPO: ({ pipeline }) => pipeline.repository,
  BUILDKITE_BUILD_ID: ({ build }) => build.id,
  BUILDKITE_BUILD_NUMBER: ({ build }) => build.number,
  BUILDKITE_BUILD_URL: ({ build }) => build.url,
  BUILDKITE_BRANCH: ({ build }) => build.branch,
  BUILDKITE_COMMIT: ({ build }) => build.commit,
  BUILDKITE_MESSAGE: ({ build }) => build.message,
  BUILDKITE_TAG: ({ build }) => build.tag ?? '',
  BUILDKITE_SOURCE: ({ build }) => build.source,
  BUILDKITE_BUILD_CREATOR: ({ build }) => build.creator?.name ?? '',
  BUILDKITE_BUILD_CREATOR_EMAIL: ({ build }) => build.creator?.email ?? '',
  BUILDKITE_BUILD_AUTHOR: ({ build }) => authorOf(build).name ?? '',
  BUILDKITE_BUILD_AUTHOR_EMAIL: ({ build }) => authorOf(build).email ?? '',
  BUILDKITE_PULL_REQUEST: ({ build }) => build.pullRequest?.id ?? 'false',
  BUILDKITE_PULL_REQUEST_BASE_BRANCH: ({ build }) => build.pullRequest?.base ?? '',
  BUILDKITE_PULL_REQUEST_REPO: ({ build }) => build.pullRequest?.repository ?? '',
  BUILDKITE_REBUILT_FROM_BUILD_ID: ({ build }) => build.rebuiltFrom?.id,
  BUILDKITE_REBUILT_FROM_BUILD_NUMBER: ({ build }) => build.rebuiltFrom?.number,
  BUILDKITE_TRIGGERED_FROM_BUILD_ID: ({ build }) => build.triggeredFrom?.buildId,
  BUILDKITE_TRIGGERED_FROM_BUILD_NUMBER: ({ build }) => build.triggeredFrom?.number,
  BUILDKITE_TRIGGERED_FROM_BUILD_PIPELINE_SLUG: ({ build }) => build.triggeredFrom?.pipelineSlug,
  BUILDKITE_CLEAN_CHECKOUT: ({ build }) => (build.cleanCheckout ? 'true' : undefined),
};

const ofJob: Table<JobFacts> = {
  BUILDKITE_JOB_ID: ({ job }) => job.id,
  BUILDKITE_STEP_ID: ({ job }) => job.stepId,
  BUILDKITE_STEP_KEY: ({ job }) => job.stepKey ?? '',
  BUILDKITE_STEP_IDENTIFIER: ({ job }) => job.stepKey ?? '',
  BUILDKITE_LABEL: ({ job }) => job.label ?? '',
  BUILDKITE_COMMAND: ({ job }) => job.command,
  BUILDKITE_SCRIPT_PATH: ({ job }) => job.command,
  BUILDKITE_PLUGINS: ({ job }) => pluginsText(job.plugins ?? []),
  BUILDKITE_SKIP_CHECKOUT: ({ job }) => (job.skipCheckout ? 'true' : undefined),
  BUILDKITE_ARTIFACT_PATHS: ({ job }) => job.artifactPaths ?? '',
  BUILDKITE_TIMEOUT: ({ job }) => job.timeoutInMinutes ?? 'false',
  BUILDKITE_RETRY_COUNT: ({ job }) => job.retriesCount,
  BUILDKITE_RETRY_TYPE: ({ job }) => job.retryType,
  BUILDKITE_PARALLEL_JOB: ({ job }) => job.parallelGroupIndex,
  BUILDKITE_PARALLEL_JOB_COUNT: ({ job }) => job.parallelGroupTotal,
  BUILDKITE_GROUP_KEY: ({ job }) => job.group?.key,
  BUILDKITE_GROUP_LABEL: ({ job }) => job.group?.label,
  BUILDKITE_AGENT_ID: ({ agent }) => agent.id,
  BUILDKITE_AGENT_NAME: ({ agent }) => agent.name,
  BUILDKITE_AGENT_META_DATA_QUEUE: ({ agent }) => agent.queue,
  BUILDKITE_BUILD_PATH: ({ checkoutPath }) => checkoutPath,
  BUILDKITE_BUILD_CHECKOUT_PATH: ({ checkoutPath }) => checkoutPath,
};

export const buildVariables = (facts: BuildFacts): Record<string, string> => fill(ofBuild, facts);

/** Additional variables for a pipeline file whose jobs all run in the same directory. */
export const folderVariables = (folder: string): Record<string, string> => ({
  BUILDKITE_BUILD_PATH: folder,
  BUILDKITE_BUILD_CHECKOUT_PATH: folder,
});

export const standardVariables = (facts: JobFacts): Record<string, string> => ({
  ...fill(ofBuild, facts),
  ...fill(ofJob, facts),
});

export const jobEnvironment = (
  layers: Readonly<Record<'pipeline' | 'build' | 'step' | 'standard', Variables>>,
): Record<string, string> => ({
  ...layers.pipeline,
  ...layers.build,
  ...layers.step,
  ...layers.standard,
});

export const isStandard = (name: string): boolean =>
  Object.hasOwn(ofBuild, name) || Object.hasOwn(ofJob, name);

function fill<F>(table: Table<F>, facts: F): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(table)) {
    const known = value(facts);
    if (known !== null && known !== undefined) filled[name] = String(known);
  }
  return filled;
}

/** JSON such as `[{"docker#v5": {…}}]`; undefined if there are no plugins. */
const pluginsText = (plugins: readonly PluginUse[]): string | undefined =>
  plugins.length === 0
    ? undefined
    : JSON.stringify(plugins.map(({ source, config }) => ({ [fullPluginSource(source)]: config })));

const authorOf = ({ author, creator }: BuildFacts['build']): Person => author ?? creator ?? {};

/**
 * Returns the full source of a plugin, as in `BUILDKITE_PLUGINS`:
 * `github.com/buildkite-plugins/docker-buildkite-plugin#v5` for `docker#v5`, and
 * `github.com/org/x-buildkite-plugin` for `org/x`. URLs and paths are returned unchanged.
 */
export function fullPluginSource(source: string): string {
  const [name = '', ...version] = source.split('#');
  const isWhole = /^[./~]|:|@|\\/.test(name);
  const parts = name.split('/');
  if (isWhole || parts.length > 2) return source;
  const [first = '', second] = parts;
  if (second !== undefined && first.includes('.')) return source;
  const path = second === undefined ? `buildkite-plugins/${first}` : name;
  const suffix = path.endsWith(end) ? '' : end;
  return [`github.com/${path}${suffix}`, ...version].join('#');
}

const end = '-buildkite-plugin';

export interface Person {
  readonly id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
}

export interface BuildFacts {
  readonly organization: string;
  readonly organizationId?: string;
  readonly pipeline: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly repository: string;
    readonly defaultBranch: string;
    /** The repository's hosting service, such as `github` (`provider.id` in the API). */
    readonly provider: string;
  };
  readonly build: {
    readonly id: string;
    readonly number: number;
    readonly url: string;
    readonly branch: string;
    readonly commit: string;
    readonly tag?: string | null | undefined;
    readonly message: string;
    readonly source: string;
    readonly creator?: Person | null;
    readonly author?: Person | null;
    readonly rebuiltFrom?: { readonly id: string; readonly number: number } | null;
    readonly triggeredFrom?: {
      readonly buildId: string;
      readonly number: number;
      readonly pipelineSlug: string;
    } | null;
    readonly pullRequest?: {
      readonly id?: string | number | null | undefined;
      readonly base?: string | null | undefined;
      readonly repository?: string | null | undefined;
    } | null;
    readonly cleanCheckout?: boolean;
  };
}

export interface JobFacts extends BuildFacts {
  readonly job: {
    readonly id: string;
    readonly stepId: string;
    readonly stepKey: string | null;
    readonly label: string | null;
    readonly command: string;
    readonly plugins?: readonly PluginUse[];
    readonly skipCheckout?: boolean;
    readonly timeoutInMinutes: number | null;
    readonly retriesCount: number;
    readonly retryType?: string | null;
    readonly artifactPaths?: string | null;
    readonly parallelGroupIndex?: number | null;
    readonly parallelGroupTotal?: number | null;
    readonly group?: { readonly key: string | null; readonly label: string | null } | null;
  };
  readonly agent: { readonly id: string; readonly name: string; readonly queue: string };
  readonly checkoutPath: string;
}
