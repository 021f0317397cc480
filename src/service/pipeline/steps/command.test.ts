import { expect, test } from 'vitest';
import { first, load, problems } from '../../../../test/support/units/load-steps.ts';

test.each([
  ['plugins: [a]', [{ source: 'a', config: null }]],
  ['plugins: [a, {b: }]', ['a', 'b'].map((source) => ({ source, config: null }))],
  [
    'plugins: [{"docker#v5": {image: node, n: 1, s: "1", t: true, o: 010, f: 1.10, z: ~}}]',
    [
      {
        source: 'docker#v5',
        config: { image: 'node', n: 1, s: '1', t: true, o: '010', f: '1.10', z: null },
      },
    ],
  ],
  [
    'plugins: {a: [x, {y: $V}], "./b": }',
    [
      { source: 'a', config: ['x', { y: 'v' }] },
      { source: './b', config: null },
    ],
  ],
  ['plugins: [{"$V#$V": {"$V": 1}}]', [{ source: 'v#v', config: { v: 1 } }]],
  ['plugins: ~', []],
])('%s', (text, plugins) => {
  expect(first(`[{command: x, ${text}}]`, { V: 'v' }).plugins).toEqual(plugins);
});

test('a step with plugins needs no command', () => {
  expect(first('[{plugins: [a]}]')).toMatchObject({ command: '', plugins: [{ source: 'a' }] });
  expect(first('[{label: x, command: , plugins: [a]}]').command).toBe('');
});

const usual = { allowed: true, permitOnPassed: false, reason: null };
const any = { exitStatus: '*', signal: null, signalReason: null, limit: 2 };

test.each([
  ['~', [], usual],
  ['{automatic: true}', [any], usual],
  ['{automatic: false, manual: false}', [], { ...usual, allowed: false }],
  ['{automatic: {limit: 10}}', [{ ...any, limit: 10 }], usual],
  [
    '{automatic: [{exit_status: 1}, {exit_status: [2, -1], limit: 1}, {exit_status: "*"}]}',
    [{ ...any, exitStatus: [1] }, { ...any, exitStatus: [2, -1], limit: 1 }, any],
    usual,
  ],
  [
    '{automatic: [{signal: SIGKILL}, {signal: term, signal_reason: agent_stop}, {signal: none}]}',
    [
      { ...any, signal: 'kill' },
      { ...any, signal: 'term', signalReason: 'agent_stop' },
      { ...any, signal: 'none' },
    ],
    usual,
  ],
  [
    '{automatic: {signal: [SIGKILL, term], signal_reason: [agent_stop, none]}}',
    [{ ...any, signal: ['kill', 'term'], signalReason: ['agent_stop', 'none'] }],
    usual,
  ],
  [
    '{manual: {allowed: false, permit_on_passed: true, reason: Not here}}',
    [],
    { allowed: false, permitOnPassed: true, reason: 'Not here' },
  ],
])('reads retry: %s', (text, automatic, manual) => {
  expect(first(`[{command: x, retry: ${text}}]`).retry).toEqual({ automatic, manual });
});

test.each([
  ['true', true],
  ['"true"', true],
  ['false', false],
  ['~', false],
  ['[]', []],
  ['[{exit_status: 1}, {exit_status: [2, 3]}]', [1, 2, 3]],
  ['[{exit_status: "*"}]', true],
  ['{exit_status: -1}', [-1]],
])('reads soft_fail: %s', (text, softFail) => {
  expect(first(`[{command: x, soft_fail: ${text}}]`).softFail).toEqual(softFail);
});

test.each([
  ['artifact_paths: "a/*; b"', { artifactPaths: 'a/*;b' }],
  ['artifact_paths: [a, "b;c", ~]', { artifactPaths: 'a;b;c' }],
  ['artifact_paths: []', { artifactPaths: null }],
  ['priority: -1', { priority: -1 }],
  ['cancel_on_build_failing: true', { cancelOnBuildFailing: true }],
  ['checkout: {skip: true}', { skipCheckout: true }],
  ['secrets: [A]', { secrets: [{ key: 'A', variable: 'A' }] }],
  ['secrets: {A: b, C: }', { secrets: ['b A', 'C C'].map(secret) }],
  ['secrets: [{key: b, environment_variable: A}]', { secrets: [secret('b A')] }],
  [
    'concurrency: 2, concurrency_group: g',
    { concurrency: { group: 'g', limit: 2, method: 'ordered' } },
  ],
  [
    'concurrency: 1, concurrency_group: g, concurrency_method: eager',
    { concurrency: { group: 'g', limit: 1, method: 'eager' } },
  ],
  ['skip: true', { omitted: { state: 'skipped', reason: 'skip' } }],
  ['skip: Not now', { omitted: { state: 'skipped', reason: 'Not now' } }],
  ['skip: false', { omitted: null }],
  ['skip: ""', { omitted: null }],
  ['agents: [queue=a]', { agentQueryRules: ['queue=a'] }],
  ['agents: [queue: a, os=b]', { agentQueryRules: ['queue=a', 'os=b'] }],
  ['agents: {queue: [a, b], os: }', { agentQueryRules: ['queue=a', 'queue=b', 'os='] }],
  ['agents: queue=a', { agentQueryRules: ['queue=a'] }],
  ['timeout: 3', { timeoutInMinutes: 3 }],
  ['agent_query_rules: [queue=a]', { agentQueryRules: ['queue=a'] }],
])('%s', (text, expected) => {
  expect(first(`[{command: x, ${text}}]`)).toMatchObject(expected);
});

function secret(words: string): { key: string; variable: string } {
  const [key = '', variable = ''] = words.split(' ');
  return { key, variable };
}

test("steps inherit the pipeline's settings and can override them", () => {
  const text = `
priority: 5
secrets: [A, B]
checkout: {skip: true}
steps:
  - command: x
  - command: y
    priority: 0
    secrets: {B: other}
    checkout: {skip: false}
`;
  expect(load(text).steps).toMatchObject([
    { priority: 5, secrets: ['A A', 'B B'].map(secret), skipCheckout: true },
    { priority: 0, secrets: ['A A', 'other B'].map(secret), skipCheckout: false },
  ]);
});

test('parallel jobs belong to one step', () => {
  const { steps } = load('[{command: a}, {command: x, key: k, parallelism: 3}, {command: y}]');
  expect(steps.map(({ definition }) => definition)).toEqual([0, 1, 1, 1, 2]);
  expect(steps).toMatchObject([
    { parallel: null },
    { key: 'k', parallel: { index: 0, total: 3 } },
    { key: 'k', parallel: { index: 1, total: 3 } },
    { key: 'k', parallel: { index: 2, total: 3 } },
    {},
  ]);
});

test('a label contains the index, number and count of its parallel job', () => {
  const { steps } = load('[{command: echo %n, label: "T %n %N/%t %x", parallelism: 2}]');
  expect(steps).toMatchObject([
    { label: 'T 0 1/2 %x', command: 'echo %n' },
    { label: 'T 1 2/2 %x', command: 'echo %n' },
  ]);
  expect(first('[{command: x, label: 100%n}]').label).toBe('100%n');
});

test('parallelism 0 creates no job, and dependent steps do not wait', () => {
  const { steps } = load(
    '[{command: x, key: k, parallelism: 0}, {command: y, depends_on: k, parallelism: 1}]',
  );
  expect(steps).toMatchObject([{ command: 'y', parallel: { index: 0, total: 1 } }]);
});

test('a documented key without effect gives a notice and is never unknown', () => {
  const text = `
steps:
  - command: x
    notify: [github_check]
    cache: dist
    image: alpine
    signature: {value: x}
    artifacts: y
    checkout: {depth: 1}
    agents: {queue: q}
  - {block: b, allowed_teams: [a]}
`;
  expect(load(text).notices.map((notice) => /`.*/.exec(notice)?.[0])).toEqual([
    '`notify` has no effect: notifications are not sent',
    '`cache` has no effect: files stay where jobs leave them',
    '`image` has no effect: jobs run directly on this machine',
    '`signature` is not checked on this machine',
    '`artifacts` has no effect: use `artifact_paths` instead',
    '`agents` is shown but has no effect: every job runs on this machine',
    "`depth` in `checkout` has no effect: jobs run in the pipeline's directory",
    '`allowed_teams` is ignored: anyone with access to the service can unblock',
  ]);
});

test.each([
  ['plugins: a', '1:25: `plugins` must be a list or mapping of plugins'],
  ['plugins: [[a]]', '1:26: a plugin must be a name, or a name with its configuration'],
  ['plugins: [{}]', '1:26: a plugin must be a name, or a name with its configuration'],
  ['plugins: [""]', '1:26: a plugin must have a name'],
  ['plugins: ["#v1"]', '1:26: a plugin must have a name'],
  ['plugins: [{"#v1": {b: c}}]', '1:27: a plugin must have a name'],
  [
    'plugins: [$TOOLKIT]',
    '1:26: a plugin must have a name, but `$TOOLKIT` is empty; set its variables with `--env NAME=value`',
  ],
  ['plugins: [{"${A}": {b: c}}]', '1:27: a plugin must have a name, but `${A}` is empty'],
  ['retry: true', '1:23: `retry` must have `automatic` or `manual`'],
  ['retry: {automatic: [1]}', '1:36: an `automatic` rule must be a mapping'],
  ['retry: {automatic: {limit: 11}}', '1:43: `limit` must be a number from 0 to 10'],
  ['retry: {automatic: {limit: 1.5}}', '1:43: `limit` must be a whole number'],
  ['retry: {automatic: {exit: 1}}', '1:36: unknown key `exit` in an `automatic` rule'],
  ['retry: {automatic: {exit_status: a}}', '1:49: `exit_status` must be a number from -1 to 255'],
  ['retry: {automatic: {signal: 9}}', '1:44: `9` is not a signal; use `SIGTERM`, `none` or `*`'],
  ['retry: {automatic: {signal_reason: x}}', '1:51: `signal_reason` must be one of *, none'],
  ['retry: {automatic: {signal: [kill, 9]}}', '1:51: `9` is not a signal; use `SIGTERM`'],
  [
    'retry: {automatic: {signal_reason: [none, x]}}',
    '1:58: `signal_reason` must be one of *, none',
  ],
  ['retry: {automatic: {signal_reason: {a: b}}}', '1:51: `signal_reason` must be a string'],
  ['retry: {manual: {permit: 1}}', '1:33: unknown key `permit` in `manual`'],
  ['concurrency: 1', '1:16: `concurrency` needs a `concurrency_group`'],
  ['concurrency_group: g', '1:16: `concurrency_group` needs a `concurrency`'],
  ['concurrency_method: eager', '1:16: `concurrency_method` needs a `concurrency_group`'],
  ['concurrency: 0, concurrency_group: g', '1:29: `concurrency` must be a number from 1'],
  [
    'concurrency: 1, concurrency_group: g, concurrency_method: x',
    '1:74: `concurrency_method` must be one of ordered, eager',
  ],
  ['priority: high', '1:26: `priority` must be a whole number'],
  ['parallelism: 1.5', '1:29: `parallelism` must be a whole number'],
  ['parallelism: -1', '1:29: `parallelism` must be a number from 0 to 10000'],
  ['secrets: A', '1:25: `secrets` must be a list of names, or a mapping'],
  ['secrets: [a-b]', '1:26: `a-b` is not a valid variable name'],
  ['secrets: [CI]', '1:26: `CI` is set by the service and cannot be a secret'],
  ['checkout: no', '1:26: `checkout` must be a mapping such as `skip: true`'],
  ['checkout: {skp: true}', '1:27: unknown key `skp` in `checkout`; did you mean `skip`?'],
  ['matrix: [a], parallelism: 2', '1:29: `parallelism` and `matrix` cannot be used together'],
])('rejects %s', (text, expected) => {
  const found = problems(`- {command: x, ${text}}`);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});
