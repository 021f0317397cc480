import { expect, test } from 'vitest';
import { branchMatches } from './branches.ts';
import { countMetrics } from './metrics.ts';
import { newPipeline, setMembers, slugOf } from './new-pipeline.ts';
import { ruleTypes } from './records.ts';
import { rulesPermit } from './rules.ts';

test.each<[string | null, string, boolean]>([
  [null, 'main', true],
  ['', 'main', true],
  ['main', 'main', true],
  ['main', 'mainly', false],
  ['main', 'Main', false],
  ['release/*', 'release/1.0', true],
  ['release/*', 'release', false],
  ['*', 'a/b', true],
  ['main release/*', 'release/1', true],
  ['!wip', 'wip', false],
  ['!wip', 'main', true],
  ['!wip-* feature/*', 'feature/x', true],
  ['!wip-* feature/*', 'main', false],
  ['* !*-wip', 'a-wip', false],
  ['a.c', 'abc', false],
  ['a+(b)', 'a+(b)', true],
])('the filter %s lets %s in: %s', (filter, branch, expected) => {
  expect(branchMatches(filter, branch)).toBe(expected);
});

const [trigger, artifacts] = ruleTypes;
const rule = { type: trigger, sourceId: 'a', targetId: 'b' };

test.each([
  ['unrestricted', 'a', 'b', false, [], trigger, true],
  ['restricted', 'a', 'b', true, [], trigger, false],
  ['restricted, itself', 'b', 'b', true, [], trigger, true],
  ['by rule', 'a', 'b', true, [rule], trigger, true],
  ['by a rule for something else', 'a', 'b', true, [rule], artifacts, false],
  ['by a rule the other way', 'b', 'a', true, [rule], trigger, false],
  ['by a rule for another target', 'a', 'c', true, [rule], trigger, false],
  ['by a rule for another source', 'c', 'b', true, [rule], trigger, false],
])('%s: %s may act on %s', (_, source, target, restricted, rules, type, expected) => {
  const organizationId = 'o';
  const from = { id: source, organizationId };
  expect(rulesPermit(rules, type, from, { id: target, organizationId, restricted })).toBe(expected);
});

test('another organization has no access, restricted or not', () => {
  const target = { id: 'b', organizationId: 'o', restricted: false };
  expect(rulesPermit([rule], trigger, { id: 'a', organizationId: 'p' }, target)).toBe(false);
});

test('metrics count script jobs by queue', () => {
  const job = (state: 'scheduled' | 'running' | 'waiting' | 'canceling', queue?: string) => ({
    job: { state, type: 'script' as const },
    agentQueryRules: queue === undefined ? ['os=linux'] : ['os=linux', `queue=${queue}`],
  });
  const waiter = { job: { state: 'waiting', type: 'waiter' }, agentQueryRules: [] } as const;
  const jobs = [
    job('scheduled'),
    job('running'),
    job('canceling', 'q'),
    job('waiting', 'q'),
    waiter,
  ];
  const counted = countMetrics({ idle: 1, busy: 2 }, jobs);
  expect(counted.agents).toMatchObject({ idle: 1, busy: 2, total: 3 });
  expect(counted.jobs).toEqual({
    scheduled: 1,
    running: 2,
    waiting: 1,
    total: 4,
    queues: {
      default: { scheduled: 1, running: 1, waiting: 0, total: 2 },
      q: { scheduled: 0, running: 1, waiting: 1, total: 2 },
    },
  });
});

test.each([
  ['My Project', 'my-project'],
  ['a--b__c', 'a-b-c'],
  ['.hidden', 'hidden'],
  ['???', 'pipeline'],
])('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

const pipeline = newPipeline({
  id: 'p',
  organizationId: 'o',
  slug: 's',
  folder: '/f',
  file: null,
  restricted: false,
  defaultBranch: 'main',
  webhookUrl: '',
  createdAt: 0,
});

test.each([
  ['default_branch', 'dev', { defaultBranch: 'dev' }],
  ['branch_configuration', 'a b', { branchConfiguration: 'a b' }],
  ['branch_configuration', '', { branchConfiguration: null }],
  ['skip_queued_branch_builds', 'true', { skipQueuedBranchBuilds: true }],
  ['cancel_running_branch_builds', '0', { cancelRunningBranchBuilds: false }],
  ['provider.webhook_url', 'http://x', { webhookUrl: 'http://x' }],
])('sets %s to "%s"', (key, value, expected) => {
  expect(setMembers(pipeline, { [key]: value })).toMatchObject(expected);
});

test('settings keep their type', () => {
  const changes = {
    'provider.settings.build_tags': 'true',
    'provider.settings.trigger_mode': 'none',
  };
  expect(setMembers(pipeline, changes).settings).toMatchObject({
    build_tags: true,
    trigger_mode: 'none',
  });
});

test.each([
  ['slug', 'x', 'A pipeline has no slug that can be set'],
  ['provider.settings.nope', 'x', 'A pipeline has no provider.settings.nope that can be set'],
  ['__proto__', 'x', 'A pipeline has no __proto__ that can be set'],
  ['restricted', 'maybe', '"maybe" is neither true nor false'],
])('refuses %s = %s', (key, value, message) => {
  expect(() => setMembers(pipeline, Object.fromEntries([[key, value]]))).toThrow(message);
});
