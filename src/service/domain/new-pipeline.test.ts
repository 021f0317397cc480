import { expect, test } from 'vitest';
import { newPipeline, setMembers, slugOf } from './new-pipeline.ts';
import { expectRefusal } from '../../../test/support/units/scenario.ts';

test.each([
  ['My Project', 'my-project'],
  ['a--b__c', 'a-b-c'],
  ['.hidden.', 'hidden'],
  ['???', 'pipeline'],
])('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

const create = () =>
  newPipeline({
    ...{ id: 'p', organizationId: 'o', slug: 's', folder: '/f', file: null, repository: '/f' },
    ...{ restricted: false, defaultBranch: 'main', webhookUrl: 'http://hook', createdAt: 0 },
  });

test('a new pipeline is named after its slug, builds every branch and skips no builds', () => {
  expect(create()).toMatchObject({
    ...{ slug: 's', name: 's', folder: '/f', repository: '/f', defaultBranch: 'main' },
    ...{ branchConfiguration: null, webhookUrl: 'http://hook' },
    ...{ skipQueuedBranchBuilds: false, skipQueuedBranchBuildsFilter: null },
    ...{ cancelRunningBranchBuilds: false, cancelRunningBranchBuildsFilter: null },
  });
});

test('a new pipeline builds pushes and pull requests, but no forks or tags, and publishes statuses', () => {
  const { settings } = create();
  expect(settings).toMatchObject({ trigger_mode: 'code', repository: '/f' });
  const named = (wanted: boolean) =>
    Object.keys(settings).filter((name) => settings[name] === wanted);
  expect(named(true)).toEqual([
    'build_pull_requests',
    'skip_pull_request_builds_for_existing_commits',
    'prefix_pull_request_fork_branch_names',
    'publish_commit_status',
  ]);
  expect(named(false)).toEqual([
    'pull_request_branch_filter_enabled',
    'build_pull_request_forks',
    'build_tags',
    'publish_commit_status_per_step',
    'publish_blocked_as_pending',
  ]);
});

test.each([
  ['name', 'N', { name: 'N' }],
  ['description', 'text', { description: 'text' }],
  ['description', '', { description: null }],
  ['default_branch', 'dev', { defaultBranch: 'dev' }],
  ['branch_configuration', 'a b', { branchConfiguration: 'a b' }],
  ['branch_configuration', '', { branchConfiguration: null }],
  ['skip_queued_branch_builds', 'true', { skipQueuedBranchBuilds: true }],
  ['skip_queued_branch_builds_filter', '!main', { skipQueuedBranchBuildsFilter: '!main' }],
  ['cancel_running_branch_builds', 'yes', { cancelRunningBranchBuilds: true }],
  ['cancel_running_branch_builds_filter', 'a', { cancelRunningBranchBuildsFilter: 'a' }],
  ['restricted', '1', { restricted: true }],
  ['provider.webhook_url', 'http://x', { webhookUrl: 'http://x' }],
])('sets %s to "%s" and keeps other settings', (key, value, expected) => {
  expect(setMembers(create(), { [key]: value })).toEqual({ ...create(), ...expected });
});

test.each([
  ['true', true],
  ['TRUE', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['No', false],
  ['0', false],
  ['', false],
])('reads "%s" as %s', (value, expected) => {
  const before = { ...create(), restricted: !expected };
  expect(setMembers(before, { restricted: value }).restricted).toBe(expected);
});

test.each(['maybe', 'untrue', 'yesterday', '10', '01', 'not', 'on'])(
  '"%s" is not a boolean',
  (value) => {
    const set = () => setMembers(create(), { restricted: value });
    expectRefusal(set, 'invalid', `"${value}" must be true or false`);
  },
);

test('settings keep their type, unknown ones their value', () => {
  const changes = {
    'provider.settings.build_tags': 'true',
    'provider.settings.trigger_mode': 'none',
  };
  expect(setMembers(create(), changes)).toEqual({
    ...create(),
    settings: { ...create().settings, build_tags: true, trigger_mode: 'none' },
  });
});

test.each([
  'slug',
  'provider.settings.nope',
  'provider.settings.build_tags.x',
  'x.provider.settings.build_tags',
  'provider.settings.toString',
  '__proto__',
])('rejects %s and lists the valid settings', (key) => {
  const set = () => setMembers(create(), Object.fromEntries([[key, 'true']]));
  const settings = Object.keys(create().settings).map((name) => `provider.settings.${name}`);
  const members =
    'name, description, default_branch, branch_configuration, skip_queued_branch_builds, ' +
    'skip_queued_branch_builds_filter, cancel_running_branch_builds, ' +
    'cancel_running_branch_builds_filter, restricted, provider.webhook_url';
  const known = `${members}, ${settings.join(', ')}`;
  expectRefusal(set, 'invalid', `${key} is not a pipeline setting that can be changed (${known})`);
});
