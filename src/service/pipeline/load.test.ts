import { expect, test } from 'vitest';
import { CictlError } from '../../errors.ts';
import { loadPipeline } from './load.ts';
import { plainCommand, type CommandStep } from './plan.ts';

const load = (text: string, env: Record<string, string> = {}, host: Record<string, string> = {}) =>
  loadPipeline(text, { file: 'p.yml', env, host });

const first = (text: string, env: Record<string, string> = {}, host: Record<string, string> = {}) =>
  load(text, env, host).steps[0] as CommandStep;

const host = { HOME: '/h', PATH: '/bin' };

function problems(text: string): readonly string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof CictlError && error.kind === 'usage') return error.details;
    throw error;
  }
  return [];
}

test('reads a command step with all its attributes', () => {
  const text = `
env: {A: pipeline}
agents: {queue: linux}
steps:
  - label: Unit
    key: unit
    commands: [make, make test]
    env: {B: 1.10, C: 010, D: yes, E: 2026-11-20, F: , G: 0x1F, H: true}
    soft_fail: [{exit_status: 3}, {exit_status: [4, 5]}]
    timeout_in_minutes: 1.5
`;
  expect(load(text)).toEqual({
    env: { A: 'pipeline' },
    steps: [
      {
        ...plainCommand,
        definition: 0,
        key: 'unit',
        label: 'Unit',
        line: 5,
        command: 'make\nmake test',
        env: { B: '1.10', C: '010', D: 'yes', E: '2026-11-20', F: '', G: '0x1F', H: 'true' },
        softFail: [3, 4, 5],
        timeoutInMinutes: 1.5,
        agentQueryRules: ['queue=linux'],
      },
    ],
    notices: ['p.yml:3:1: `agents` is shown but has no effect: every job runs on this machine'],
  });
});

test('reads a bare list, string steps, key aliases and JSON', () => {
  const text = `[{"command": "a", "name": "A", "identifier": "a"}, "wait", {"id": "b", "block": "Go?"}]`;
  expect(load(text).steps).toMatchObject([
    { type: 'command', label: 'A', key: 'a', command: 'a' },
    { type: 'wait', continueOnFailure: false },
    { type: 'block', label: 'Go?', key: 'b', blockedState: 'passed', fields: [] },
  ]);
});

test('reads wait and block steps with their options', () => {
  const text = `
- wait: ~
  continue_on_failure: true
- block: Release
  prompt: Sure?
  blocked_state: running
  fields:
    - text: Notes
      key: notes
      hint: for the changelog
      required: false
    - select: Where
      key: where
      multiple: true
      default: [eu]
      options: [{label: Europe, value: eu}, {label: America, value: us}]
`;
  const [wait, block] = load(text).steps;
  expect(wait).toMatchObject({ type: 'wait', continueOnFailure: true });
  expect(block).toMatchObject({
    label: 'Release',
    prompt: 'Sure?',
    blockedState: 'running',
    fields: [
      { key: 'notes', kind: 'text', label: 'Notes', hint: 'for the changelog', required: false },
      { key: 'where', kind: 'select', required: true, multiple: true, default: ['eu'] },
    ],
  });
});

test('merges anchors kept under a key of their own', () => {
  const text = `
common: &common
  env: {A: a}
  soft_fail: true
steps:
  - <<: *common
    command: x
    soft_fail: false
  - <<: [{label: one}, *common, {label: two}]
    command: y
`;
  expect(load(text).steps).toMatchObject([
    { command: 'x', env: { A: 'a' }, softFail: false },
    { command: 'y', env: { A: 'a' }, softFail: true, label: 'one' },
  ]);
});

test('reads the env of a pipeline as a list', () => {
  const { env } = load('{env: ["A=1=2", "B="], steps: [{command: x}]}');
  expect(env).toEqual({ A: '1=2', B: '' });
});

test('treats a variable named __proto__ like any other', () => {
  const { env } = first('[{command: x, env: {__proto__: kept}}]');
  expect(Object.entries(env)).toEqual([['__proto__', 'kept']]);
});

test('variables of the file override those of the build, and later ones can use earlier ones', () => {
  const text = `
env: {A: file, B: "$A-2", C: "$B-3"}
steps: [{command: "echo $A $B $C", label: "on \${BUILDKITE_BRANCH:0:4}"}]
`;
  const plan = load(text, { A: 'build', BUILDKITE_BRANCH: 'main-line' });
  expect(plan.env).toEqual({ A: 'file', B: 'file-2', C: 'file-2-3' });
  expect(plan.steps[0]).toMatchObject({
    command: 'echo file file-2 file-2-3',
    label: 'on main',
  });
});

test('uses a variable of the build unless the file sets it', () => {
  const text = 'env: {A: "${A:-file}", B: "${B:-file}"}\nsteps: [{command: "$A $B $C"}]';
  const plan = load(text, { A: 'build', C: 'given' });
  expect(plan.env).toEqual({ A: 'build', B: 'file' });
  expect(plan.steps[0]).toMatchObject({ command: 'build file given' });
});

test("in a command, leaves the job's environment variables uninterpolated", () => {
  const command = 'rm -rf $HOME/x ${PATH} "${TMPDIR:-/tmp}" $PWD $LC_ALL $BUILDKITE_JOB_ID $USER';
  const step = first(JSON.stringify([{ command }]), { USER: 'build' }, { HOME: '/h' });
  expect(step.command).toBe(command.replace('$USER', 'build'));
  expect(load(JSON.stringify([{ command }])).notices).toEqual([]);
});

test("in a command, leaves the step's env and secrets uninterpolated too", () => {
  const text = `
secrets: [ALL]
steps: [{command: "$OWN $KEY $ALL $NONE", env: {OWN: a}, secrets: {KEY: b}}]
`;
  expect(first(text).command).toBe('$OWN $KEY $ALL ');
});

test('elsewhere, interpolates the value from the host', () => {
  const step = first('[{command: x, label: "of $HOME", env: {P: "x:$PATH"}}]', {}, host);
  expect(step).toMatchObject({ label: 'of /h', env: { P: 'x:/bin' } });
});

test("conditions see the file's variables, overridden by the build's", () => {
  const text = `
env: {A: file, B: file}
steps:
  - {command: a, if: 'build.env("A") == "file"'}
  - {command: b, if: 'build.env("B") == "file"'}
  - {command: c, if: 'build.env("C") == null'}
`;
  const { steps } = load(text, { B: 'build' });
  expect(steps.map(({ omitted }) => omitted?.state ?? 'runs')).toEqual(['runs', 'broken', 'runs']);
});

test('interpolates keys of env too', () => {
  const plan = load('env: {"A_$V": 1}\nsteps: [{command: "$A_b", env: {"B_${V}": 2}}]', { V: 'b' });
  expect(plan.env).toEqual({ A_b: '1' });
  expect(plan.steps[0]).toMatchObject({ command: '1', env: { B_b: '2' } });
});

test('reads null as an empty string', () => {
  const text = 'env: {A: ~, B: null, C: }\nsteps: [{commands: [a, ~, null, b], env: {D: ~}}]';
  const plan = load(text);
  expect(plan.env).toEqual({ A: '', B: '', C: '' });
  expect(plan.steps[0]).toMatchObject({ command: 'a\n\n\nb', env: { D: '' } });
});

test('reports an unset variable once, at its first position', () => {
  expect(load('- command: echo $X\n- command: echo ${X}\n').notices).toEqual([
    "p.yml:1:12: `X` is not set when the file is read, so it becomes empty; set it with `--env X=…`, or write `$$X` in a command to leave it to the job's shell (and in 1 more place)",
  ]);
});

test('reports a standard variable set in the file, and ignores it', () => {
  const plan = load('{env: {BUILDKITE_BRANCH: x}, steps: [{command: y}]}');
  expect(plan.env).toEqual({});
  expect(plan.notices).toEqual([
    'p.yml:1:8: `BUILDKITE_BRANCH` is set by the service, so the value here has no effect',
  ]);
});

test('lists all problems in file order', () => {
  const text = `
steps:
  - comand: make
  - command: x
    depends_on: y
    soft_fial: true
  - trigger: ''
`;
  expect(problems(text)).toEqual([
    'p.yml:3:5: unknown key `comand` in a step; did you mean `command`?',
    'p.yml:5:17: no step or group has the key `y`',
    'p.yml:6:5: unknown key `soft_fial` in a command step; did you mean `soft_fail`?',
    'p.yml:7:5: `trigger` needs a pipeline slug',
  ]);
});

test('steps can depend on a step of unknown type', () => {
  const text = '- {label: a, key: draft}\n- {command: x, depends_on: draft}';
  expect(problems(text)).toEqual([
    'p.yml:1:3: a step needs `command`, `plugins`, `wait`, `block`, `input`, `trigger` or `group`',
  ]);
});

test('accepts unknown keys and missing dependencies with notices', () => {
  const text = '[{command: x, instance_size: big, depends_on: elsewhere}, {comand: y}]';
  const options = {
    file: 'p.yml',
    env: {},
    allowUnknownKeys: true,
    ignoreMissingDependencies: true,
  };
  expect(loadPipeline(text.replace(', {comand: y}', ''), options).notices).toEqual([
    'p.yml:1:15: unknown key `instance_size` in a command step has no effect',
    'p.yml:1:47: no step or group has the key `elsewhere`: the dependency is ignored',
  ]);
  // A step without a command would be skipped silently.
  expect(() => loadPipeline(text, options)).toThrow('the pipeline file p.yml has a problem');
});

test('ignores unknown top-level keys with a notice', () => {
  const text = 'evn: {A: b}\nextra: 1\nmine: &mine {A: a}\nsteps: [{command: x, env: *mine}]';
  expect(load(text).notices).toEqual([
    'p.yml:1:1: unknown key `evn` in a pipeline has no effect; did you mean `env`?',
    'p.yml:2:1: unknown key `extra` in a pipeline has no effect',
  ]);
});

test('names the file in the message', () => {
  expect(() => load('steps: 1')).toThrow('the pipeline file p.yml has a problem');
});

test.each([
  ['', '1:1: the file is empty'],
  ['# nothing', '1:1: the file is empty'],
  ['[wait]\n---\n[wait]', '2:1: the file has more than one document'],
  ['- wait\n-', '2:2: the step is empty; write `command: …`'],
  ['word', '1:1: a pipeline must be a mapping with `steps`, or a list of steps'],
  ['env: {A: b}', '1:1: the pipeline has no steps'],
  ['steps: []', '1:1: the pipeline has no steps'],
  ['stesp: []', '1:1: the pipeline has no steps; did you mean `steps` instead of `stesp`?'],
  ['steps: make', '1:8: `steps` must be a list'],
  ['- [a]', '1:3: a step must be a mapping, `wait`, `block` or `input`'],
  ['- wiat', '1:3: `wiat` is not a step; did you mean `wait`?'],
  ['- make test', '1:3: `make test` is not a step; write `command: …`'],
  [
    '- label: x',
    '1:3: a step needs `command`, `plugins`, `wait`, `block`, `input`, `trigger` or `group`',
  ],
  ['- {command: x, wait: ~}', '1:3: a step cannot have `command` and `wait` together'],
  [
    '- {command: x, commands: y}',
    '1:16: `commands` and `command` mean the same thing; use only one',
  ],
  ['- command:', '1:3: the step has no command to run'],
  ['- command: []', '1:3: the step has no command to run'],
  ['- command: {a: b}', '1:12: the step has no command to run'],
  [
    '- {command: {a: b}, key: c}',
    '1:13: a command that contains `: ` needs quotes: it must be a string',
  ],
  ['- commands: [[a]]', '1:14: a command must be a string'],
  ['- {type: wait, command: x}', '1:10: `type: wait` does not match this step'],
  ['- {command: x, key: a b}', '1:21: `a b` is not a valid step key'],
  [
    '- {command: x, key: a}\n- {command: y, key: a}',
    '2:3: the key `a` is already used by the step on line 1',
  ],
  ['- command: x\n  command: y', '2:3: duplicate key `command`, first used on line 1'],
  ['- {command: x, env: {A-B: 1}}', '1:22: `A-B` is not a valid variable name'],
  ['- {command: x, env: {A: [1]}}', '1:25: the value of `A` must be a string'],
  ['{env: [A], steps: [wait]}', '1:8: `A` must be `NAME=value`'],
  ['- {command: x, env: [A=1]}', "1:21: a step's `env` must be a mapping"],
  ['- {command: x, env: A}', '1:21: `env` must be a mapping'],
  ['- {command: x, soft_fail: maybe}', '1:27: `soft_fail` must be true, false or a list'],
  ['- {command: x, soft_fail: [{exit_status: 256}]}', '1:42: `exit_status` must be a number'],
  ['- {command: x, timeout_in_minutes: 0}', '1:36: `timeout_in_minutes` must be greater than 0'],
  ['- {command: x, timeout: 0}', '1:25: `timeout` must be greater than 0'],
  ['- {command: x, timeout: 1, timeout_in_minutes: 1}', '1:16: `timeout` and'],
  ['- {command: x, timeout_in_minutes: soon}', '1:36: `timeout_in_minutes` must be a number'],
  ['- {block: x, blocked_state: gone}', '1:29: `blocked_state` must be one of passed, failed'],
  ['- {block: x, fields: [{key: a}]}', '1:23: a field must have either `text` or `select`'],
  ['- {block: x, fields: [{text: a}]}', '1:23: a field needs a `key`'],
  ['- {block: x, fields: [{select: a, key: k}]}', '1:23: a select field needs `options`'],
  ['- command: ${A', '1:12: `${` has no closing brace'],
  ['- command: ${A?give it}', '1:12: `A` is not set: give it'],
  ['- command: ${A?}', '1:12: `A` is not set; set it with `--env A=…`'],
  ['- command: ${#A}', '1:12: `${#A}` is not a supported expression'],
  ['- command: "\\0"', '1:12: a string must not contain a NUL character'],
  ['- command: *none', '1:12: the alias has no anchor before it'],
  ['- command: x\n---\n- command: y', '2:1: '],
  ['- command: !secret x', '1:12: `!secret` is a YAML tag'],
  ['- command: "x', '1:14: '],
  ['? [a]\n: b', '1:3: a key must be a string'],
  ['{command: x', '1:12: '],
])('rejects %j', (text, expected) => {
  expect(problems(text)[0]).toContain(`p.yml:${expected}`);
});

const bomb = `
a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
steps: [{command: *f}]
`;

test.each([
  ['aliases that multiply', bomb, 'more than 500000 values'],
  ['an alias inside its own anchor', 'steps: &s [*s]', 'nested deeper than 64 levels'],
  ['brackets', `steps: ${'['.repeat(10_000)}`, 'nested deeper than 64 levels'],
  ['dashes', '- '.repeat(10_000), 'nested deeper than 64 levels'],
  [
    'indentation',
    Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}k:`).join('\n'),
    'nested deeper than 64 levels',
  ],
  ['a large file', `# ${'x'.repeat(4 * 1_048_576)}`, 'larger than 4 MiB'],
  ['ten megabytes', '- command: x\n'.repeat(800_000), 'larger than 4 MiB'],
  ['very many values', `steps: [${'1,'.repeat(500_001)}]`, 'more than 500000 values'],
  [
    'defaults within defaults',
    `- command: ${'${A:-'.repeat(20)}${'}'.repeat(20)}`,
    'is nested deeper than 16 levels',
  ],
])('rejects %s as one problem', (_, text, expected) => {
  const found = problems(text);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(expected);
});

test('suggests a key for the first 20 problems only, since each search reads all keys', () => {
  const steps = Array.from(
    { length: 30 },
    (_, at) => `- {command: a, key: one${at}, depends_on: ono${at}}`,
  );
  const suggested = problems(steps.join('\n')).filter((line) => line.includes('did you mean'));
  expect(suggested).toHaveLength(20);
});
