/** Pipelines: how a new one is set up, and what may be set later. */
import type { Pipeline } from './records.ts';
import { Refusal } from './refusal.ts';

export interface GivenPipeline {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly folder: string;
  readonly file: string | null;
  /** URL of the checkout's remote, or the folder if there is no remote. */
  readonly repository: string;
  readonly restricted: boolean;
  readonly defaultBranch: string;
  readonly webhookUrl: string;
  readonly createdAt: number;
}

export const newPipeline = (input: GivenPipeline): Pipeline => ({
  ...input,
  name: input.slug,
  branchConfiguration: null,
  skipQueuedBranchBuilds: false,
  skipQueuedBranchBuildsFilter: null,
  cancelRunningBranchBuilds: false,
  cancelRunningBranchBuildsFilter: null,
  settings: {
    trigger_mode: 'code',
    build_pull_requests: true,
    pull_request_branch_filter_enabled: false,
    skip_pull_request_builds_for_existing_commits: true,
    build_pull_request_forks: false,
    prefix_pull_request_fork_branch_names: true,
    build_tags: false,
    publish_commit_status: true,
    publish_commit_status_per_step: false,
    publish_blocked_as_pending: false,
    repository: input.repository,
  },
});

/** `My Project` -> `my-project`. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'pipeline';

type Setter = (pipeline: Pipeline, value: string) => Pipeline;

const setters: Readonly<Record<string, Setter>> = {
  name: (pipeline, name) => ({ ...pipeline, name }),
  description: (pipeline, value) => ({ ...pipeline, description: textOrNull(value) }),
  default_branch: (pipeline, defaultBranch) => ({ ...pipeline, defaultBranch }),
  branch_configuration: (pipeline, value) => ({
    ...pipeline,
    branchConfiguration: textOrNull(value),
  }),
  skip_queued_branch_builds: (pipeline, value) => ({
    ...pipeline,
    skipQueuedBranchBuilds: truth(value),
  }),
  skip_queued_branch_builds_filter: (pipeline, value) => ({
    ...pipeline,
    skipQueuedBranchBuildsFilter: textOrNull(value),
  }),
  cancel_running_branch_builds: (pipeline, value) => ({
    ...pipeline,
    cancelRunningBranchBuilds: truth(value),
  }),
  cancel_running_branch_builds_filter: (pipeline, value) => ({
    ...pipeline,
    cancelRunningBranchBuildsFilter: textOrNull(value),
  }),
  restricted: (pipeline, value) => ({ ...pipeline, restricted: truth(value) }),
  'provider.webhook_url': (pipeline, webhookUrl) => ({ ...pipeline, webhookUrl }),
};

/** Sets members by their names on the wire. Throws `Refusal` for what cannot be set so. */
export const setMembers = (
  pipeline: Pipeline,
  changes: Readonly<Record<string, string>>,
): Pipeline =>
  Object.entries(changes).reduce((before, [key, value]) => setMember(before, key, value), pipeline);

function setMember(pipeline: Pipeline, key: string, value: string): Pipeline {
  const setter = Object.hasOwn(setters, key) ? setters[key] : undefined;
  if (setter !== undefined) return setter(pipeline, value);
  const name = /^provider\.settings\.(\w+)$/.exec(key)?.[1] ?? '';
  const old = Object.hasOwn(pipeline.settings, name) ? pipeline.settings[name] : undefined;
  if (old === undefined) {
    const known = [...Object.keys(setters), ...settingNames(pipeline)].join(', ');
    throw new Refusal('invalid', `A pipeline has no ${key} that can be set (${known})`);
  }
  const settings = {
    ...pipeline.settings,
    [name]: typeof old === 'boolean' ? truth(value) : value,
  };
  return { ...pipeline, settings };
}

const settingNames = ({ settings }: Pipeline): string[] =>
  Object.keys(settings).map((name) => `provider.settings.${name}`);

const textOrNull = (value: string): string | null => (value === '' ? null : value);

function truth(value: string): boolean {
  if (/^(true|1|yes)$/i.test(value)) return true;
  if (/^(false|0|no|)$/i.test(value)) return false;
  throw new Refusal('invalid', `"${value}" is neither true nor false`);
}
