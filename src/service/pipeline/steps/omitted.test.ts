import { expect, test } from 'vitest';
import { CictlError } from '../../../errors.ts';
import type { BuildFacts } from '../environment.ts';
import { loadPipeline } from '../load.ts';

const facts: BuildFacts = {
  organization: 'acme',
  pipeline: {
    ...{ id: 'p', slug: 'web', name: 'Web', repository: '' },
    ...{ defaultBranch: 'main', provider: 'local' },
  },
  build: {
    ...{ id: 'b', number: 1, url: '', branch: 'feature/one', commit: 'abc' },
    ...{ message: 'Hello', source: 'api' },
  },
};

const load = (text: string, changedFiles: readonly string[] | null = ['src/a.ts', 'README.md']) =>
  loadPipeline(text, {
    file: 'p.yml',
    env: { V: 'v' },
    facts,
    changedFiles,
    changesUnknown: 'no git',
  });

const omitted = (step: string) => load(`[{command: x, ${step}}]`).steps[0]?.omitted;

const broken = (reason: string) => ({ state: 'broken', reason });

test.each([
  [`if: build.branch == "feature/one"`, null],
  [`if: build.branch == "main"`, broken('if: build.branch == "main"')],
  [`if: build.env("V") == "v"`, null],
  [`if: 'build.message =~ /^Bye/'`, broken('if: build.message =~ /^Bye/')],
  ['if: ~', null],
  ['branches: feature/*', null],
  ['branches: "main release/*"', broken('branches: main release/*')],
  ['branches: [main, "!feature/*"]', broken('branches: main !feature/*')],
  ['branches: []', null],
  ['if_changed: "src/**"', null],
  ['if_changed: [docs/**, "*.md"]', null],
  ['if_changed: docs/**', broken('if_changed: docs/**')],
  ['if_changed: {include: ["**"], exclude: [src/**, "*.md"]}', broken('if_changed: **')],
  ['if_changed: {include: "*.md"}', null],
  ['skip: why, if: "false"', { state: 'skipped', reason: 'why' }],
])('%s', (step, expected) => {
  expect(omitted(step)).toEqual(expected);
});

test('treats files that cannot be compared as changed, with a notice', () => {
  const plan = load('[{command: x, if_changed: docs/**}]', null);
  expect(plan.steps[0]?.omitted).toBeNull();
  expect(plan.notices).toEqual([
    'p.yml:1:27: `if_changed` cannot be evaluated (no git), so the step runs',
  ]);
});

test.each([['group: g', 'steps: [{command: x}, {command: y, skip: own}]']])(
  'a condition of a %s excludes all its steps',
  (group, steps) => {
    const all = load(`[{${group}, if: 'build.branch == "main"', ${steps}}]`).steps;
    expect(all.map((step) => step.omitted)).toEqual(
      Array(2).fill(broken('if: build.branch == "main"')),
    );
  },
);

test.each(['wait: ', 'block: b', 'input: i', 'trigger: t'])(
  'evaluates a condition of a %s',
  (kind) => {
    const [step] = load(`[{${kind}, if: "false"}]`).steps;
    expect(step?.omitted).toEqual(broken('if: false'));
  },
);

test.each([
  ['label: x', 'a step needs `command`'],
  ['command: "${UNSET?}"', '`UNSET` is not set'],
  ['command: x, instance_size: big', 'unknown key `instance_size`'],
  ['command: x, timeout_in_minutes: soon', '`timeout_in_minutes` must be'],
  ['group: g, steps: [{command: y, retry: 1}]', '`retry` must have'],
])('a problem in the excluded step {%s} is only a notice', (step, text) => {
  const { steps, notices } = load(`[{if: "false", ${step}}, {command: runs}]`);
  expect(steps.at(-1)).toMatchObject({ command: 'runs', omitted: null });
  expect(notices.join('\n')).toContain(text);
  expect(notices.join('\n')).toContain('(ignored, because the step does not run)');
  expect(() => load(`[{if: "true", ${step}}, {command: runs}]`)).toThrow('p.yml');
});

test('an excluded step may reuse a key or depend on a missing one', () => {
  const { steps } = load(
    '[{if: "false", key: a, command: x}, {key: a, command: y, depends_on: b}, {key: b, command: z}, {skip: true, command: x, depends_on: none}]',
  );
  expect(steps.map(({ omitted: left }) => left === null)).toEqual([false, true, true, false]);
});

test.each([
  ['${FLAG} && true', /character 1: .*\(`FLAG` is not set; `--env FLAG=…` sets it\)/],
  ['${FLAG:-} && true', /character 1: [^(]*$/],
])('a failing condition names the unset variable: %s', (condition, expected) => {
  let details: readonly string[] = [];
  try {
    omitted(`if: "${condition}"`);
  } catch (error) {
    if (error instanceof CictlError) details = error.details;
  }
  expect(details.join('\n')).toMatch(expected);
});

test.each([
  ['if: build.brnch == "a"', /^p\.yml:1:19: `if`, character 1: .*build\.branch/],
  ['if: build.branch ==', /^p\.yml:1:19: `if`, character /],
  ['if_changed: {exclude: a}', /^p\.yml:1:27: `if_changed` must have a path/],
  ['if_changed: {inclde: a}', /unknown key `inclde` in `if_changed`; did you mean `include`\?/],
  ['if_changed: "a[b"', /^p\.yml:1:27: the pattern `a\[b` has a `\[` without `\]`/],
])('rejects %s', (step, expected) => {
  let details: readonly string[] = [];
  try {
    omitted(step);
  } catch (error) {
    if (error instanceof CictlError) details = error.details;
  }
  expect(details.join('\n')).toMatch(expected);
});
