import type { Pipeline } from './records.ts';
import { Refusal } from './refusal.ts';

export type GivenPipeline = Pick<
  Pipeline,
  | 'id'
  | 'organizationId'
  | 'slug'
  | 'folder'
  | 'file'
  | 'repository'
  | 'restricted'
  | 'defaultBranch'
  | 'webhookUrl'
  | 'createdAt'
>;

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

const setters: Readonly<Record<string, (value: string) => Partial<Pipeline>>> = {
  name: (name) => ({ name }),
  description: (value) => ({ description: value || null }),
  default_branch: (defaultBranch) => ({ defaultBranch }),
  branch_configuration: (value) => ({ branchConfiguration: value || null }),
  skip_queued_branch_builds: (value) => ({ skipQueuedBranchBuilds: truth(value) }),
  skip_queued_branch_builds_filter: (value) => ({ skipQueuedBranchBuildsFilter: value || null }),
  cancel_running_branch_builds: (value) => ({ cancelRunningBranchBuilds: truth(value) }),
  cancel_running_branch_builds_filter: (value) => ({
    cancelRunningBranchBuildsFilter: value || null,
  }),
  restricted: (value) => ({ restricted: truth(value) }),
  'provider.webhook_url': (webhookUrl) => ({ webhookUrl }),
};

/** Changes fields of a pipeline. `changes` uses the API's field names. Throws `Refusal`. */
export const setMembers = (
  pipeline: Pipeline,
  changes: Readonly<Record<string, string>>,
): Pipeline =>
  Object.entries(changes).reduce((before, [key, value]) => setMember(before, key, value), pipeline);

function setMember(pipeline: Pipeline, key: string, value: string): Pipeline {
  const setter = Object.hasOwn(setters, key) ? setters[key] : undefined;
  if (setter !== undefined) return { ...pipeline, ...setter(value) };
  const { settings } = pipeline;
  const name = /^provider\.settings\.(\w+)$/.exec(key)?.[1] ?? '';
  const old = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (old === undefined) {
    const names = Object.keys(settings).map((setting) => `provider.settings.${setting}`);
    const known = [...Object.keys(setters), ...names].join(', ');
    throw new Refusal('invalid', `${key} is not a pipeline setting that can be changed (${known})`);
  }
  const next = typeof old === 'boolean' ? truth(value) : value;
  return { ...pipeline, settings: { ...settings, [name]: next } };
}

function truth(value: string): boolean {
  if (/^(true|1|yes)$/i.test(value)) return true;
  if (/^(false|0|no|)$/i.test(value)) return false;
  throw new Refusal('invalid', `"${value}" must be true or false`);
}
