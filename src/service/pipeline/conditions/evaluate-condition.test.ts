import { expect, test } from 'vitest';
import type { BuildFacts } from '../environment.ts';
import { ConditionError, conditionContext, evaluateCondition } from './evaluate-condition.ts';

const facts: BuildFacts = {
  organization: 'acme',
  organizationId: 'o1',
  pipeline: {
    ...{ id: 'p1', slug: 'web', name: 'Web', repository: 'git@host:acme/web.git' },
    ...{ defaultBranch: 'main', provider: 'local' },
  },
  build: {
    ...{ id: 'b1', number: 7, url: 'http://x', branch: 'feature/one', commit: 'abc' },
    ...{ message: 'Add it [skip tests]\nmore', source: 'api' },
    creator: { id: 'u1', name: 'Ada', email: 'ada@example.com' },
    author: { name: 'Bob', email: 'bob@example.com' },
  },
};

const env = { CUSTOM: 'value', EMPTY: '', BUILDKITE_BRANCH: 'feature/one' };

const judge = (source: string, more: Record<string, string> = {}, build = {}): boolean =>
  evaluateCondition(
    source,
    conditionContext({ ...facts, build: { ...facts.build, ...build } }, { ...env, ...more }),
  );

function problem(source: string): string {
  try {
    judge(source);
  } catch (error) {
    if (error instanceof ConditionError) return `${error.column}: ${error.message}`;
    throw error;
  }
  return 'none';
}

test.each([
  // Variables.
  ['build.branch == "feature/one"', true],
  ['build.branch != "main"', true],
  ["build.branch == 'main'", false],
  ['build.branch == pipeline.default_branch', false],
  ['build.number == 7', true],
  ['build.number != 7', false],
  ['build.id == "b1" && build.commit == "abc"', true],
  ['build.source == "api"', true],
  ['"api" == build.source', true],
  ['build.tag == null', true],
  ['build.tag =~ /^v/', false],
  ['build.tag !~ /^v/', true],
  ['build.state == "running"', true],
  ['build.creator.name == "Ada"', true],
  ['build.creator.email =~ /@example\\.com$/', true],
  ['build.creator.teams includes "deploy"', false],
  ['build.author.name == "Bob"', true],
  ['build.author.id == null', true],
  ['pipeline.slug == "web" && organization.slug == "acme"', true],
  ['pipeline.id == "p1" && organization.id == "o1"', true],
  ['pipeline.repository =~ /acme/', true],
  // No pull request.
  ['build.pull_request.id == null', true],
  ['build.pull_request.id != null', false],
  ['build.pull_request.base_branch == "main"', false],
  ['!build.pull_request.draft', true],
  ['build.pull_request.draft', false],
  ['build.pull_request.draft == null', true],
  ['build.pull_request.draft || false', false],
  ['build.pull_request.labels includes "ready"', false],
  ['build.pull_request.repository.fork', false],
  // Functions.
  ['build.env("CUSTOM") == "value"', true],
  ['build.env("MISSING") == null', true],
  ['build.env("EMPTY") == null', false],
  ['build.env("EMPTY") == ""', true],
  ['env("MISSING") == ""', true],
  ['env("MISSING") == null', false],
  ['build.env("BUILDKITE_BRANCH") =~ /^feature/', true],
  ['build.env("__proto__") == null', true],
  // Literals.
  ['true', true],
  ['false', false],
  ['null == null', true],
  ['null != null', false],
  ['true == null', false],
  ['12345 == 12345', true],
  ['"a" == \'a\'', true],
  ['"a\\tb\\"c" == \'a\tb"c\'', true],
  ["'it\\'s' == \"it's\"", true],
  ["'a\\n' == 'a\\\\n'", true],
  ['"\\x41\\101\\s" == "AA "', true],
  // Lists.
  ['["main", "feature/one"] includes build.branch', true],
  ['["main"] includes build.branch', false],
  ['[] includes build.branch', false],
  ['["v1", "v2"] includes /^v2$/', true],
  ['null includes "x"', false],
  // Precedence.
  ['true || false && false', true],
  ['(true || false) && false', false],
  ['false && false || true', true],
  ['!false && !false', true],
  ['!(true && false)', true],
  ['!!true', true],
  ['!!!true', false],
  // `!` negates the match: text alone cannot be negated.
  ['!build.env("CUSTOM") =~ /val/', false],
  ['!build.env("NONE") =~ /val/', true],
  ['(build.id != null && !env("CUSTOM") =~ /skip/) || false', true],
  ['!!build.branch =~ /one/', true],
  ['!build.branch !~ /one/', true],
  ['!["a", "b"] includes "a"', false],
  ['!true == false', true],
  ['!build.branch =~ /one/ == true', false],
  ['build.branch == "x" || build.branch == "feature/one" && true', true],
  ['1 == 1 == true', true],
  ['1 == 2 ? true : 2 == 2', true],
  ['false ? true : false ? true : true', true],
  // Comments and newlines.
  ['// nothing\n  build.number == 7 && // seven\n  true\n// more', true],
  // Shell variables, as they are after `$$`.
  ['$CUSTOM == "value"', true],
  ['${CUSTOM:-x} == "value"', true],
  ['${MISSING} == null', true],
  ['${MISSING:-x} == "x"', true],
  ['"is ${CUSTOM}!" == "is value!"', true],
  ['\'${CUSTOM}\' == "value"', false],
  ['"5$$" == "5$"', true],
  ['"\\$CUSTOM" == \'$CUSTOM\'', true],
  // Regular expressions.
  ['build.message =~ /\\[skip tests\\]/', true],
  ['build.message =~ /\\[SKIP TESTS\\]/', false],
  ['build.message =~ /\\[SKIP TESTS\\]/i', true],
  ['build.message !~ /more/', false],
  ['build.branch =~ /^feature\\//', true],
  ['build.branch =~ /\\/one$/', true],
])('%s evaluates to %j', (source, expected) => {
  expect(judge(source)).toBe(expected);
});

test('evaluates a build with a pull request, a tag and no message', () => {
  const build = { message: '', pullRequest: { id: 12, base: 'main', repository: 'git://fork' } };
  const more = {
    BUILDKITE_TAG: 'v1.2.0',
    BUILDKITE_PULL_REQUEST_DRAFT: 'true',
    BUILDKITE_PULL_REQUEST_LABELS: 'bug,ready',
  };
  for (const source of [
    'build.tag =~ /^v[0-9]+\\.[0-9]+\\.0$/',
    'build.message == null',
    'build.pull_request.id == "12"',
    'build.pull_request.base_branch == "main"',
    'build.pull_request.repository == "git://fork"',
    'build.pull_request.draft',
    'build.pull_request.labels includes "ready"',
  ]) {
    expect([source, judge(source, more, build)]).toEqual([source, true]);
  }
});

test.each([
  ['', '1: the condition is empty'],
  ['// nothing', '1: the condition is empty'],
  ['build.brnach == "x"', '1: unknown variable `build.brnach`; did you mean `build.branch`?'],
  ['true && nothing', '9: unknown variable `nothing`'],
  ['step.key == "x"', '1: `step.key` can only be used in notifications'],
  ['build.evn("X") == "x"', '1: unknown function `build.evn`; did you mean `build.env`?'],
  ['build.env() == "x"', '1: `build.env` takes one variable name'],
  ['build.env("A", "B") == "x"', '1: `build.env` takes one variable name'],
  ['env(1) == ""', '5: `env` requires a variable name in quotes, but this is an integer'],
  ['build.env("$A") == null', '11: `` is not a variable name'],
  ['build.env("A B") == null', '11: `A B` is not a variable name'],
  ['"text"', '1: a condition must evaluate to true or false, but this is a string'],
  ['build.branch', '1: a condition must evaluate to true or false, but this is a string'],
  ['null', '1: a condition must evaluate to true or false, but this is null'],
  ['build.number == "7"', '17: `==` cannot compare an integer with a string'],
  ['true == "true"', '9: `==` cannot compare true or false with a string'],
  ['["a"] == null', '1: `==` cannot compare lists; use `includes`'],
  ['"a" == /a/', '8: use `=~` instead of `==` to match a regular expression'],
  [
    '"a" =~ "a"',
    '8: the right side of `=~` must be a regular expression (`/…/`), but this is a string',
  ],
  ['true =~ /a/', '1: the left side of `=~` must be a string, but this is true or false'],
  ['"a" includes "a"', '1: the left side of `includes` must be a list, but this is a string'],
  [
    '["a"] includes 1',
    '16: the right side of `includes` must be a string or a regular expression, but this is an',
  ],
  ['includes "a"', '1: the left side of `includes` must be a list'],
  ['[1] includes "a"', '2: a list may only contain strings, but this is an integer'],
  ['!"a"', '2: `!` requires true or false, but this is a string'],
  [
    'build.branch && true',
    '1: `&&` requires true or false, but this is a string; compare it, for example with `!= null`',
  ],
  [
    'build.env("A")',
    'must evaluate to true or false, but this is a string; compare it, for example with `!= null`',
  ],
  ['true || 1', '9: `||` requires true or false, but this is an integer'],
  ['true ? "a" : 1', '14: `? :` requires the same type on both sides, not a string and an integer'],
  [
    'build.source == "push"',
    '17: `build.source` is never "push": valid values are ui, api, webhook',
  ],
  ['"faillled" == build.state', '1: `build.state` is never "faillled"'],
  ['build.branch = "main"', '14: `=` is not an operator; did you mean `==`?'],
  ['true & false', '6: `&` is not an operator; did you mean `&&`?'],
  ['build.branch == "main', '17: the string has no closing quote'],
  ['build.branch =~ /main', '17: the regular expression has no closing `/`'],
  ['build.branch =~ /main/xi', '23: `x` is not a supported regular expression flag; only `i` is'],
  ['build..branch == "x"', '1: `build..branch` is not a valid name'],
  ['["a"] @> "a"', '7: unexpected `@`'],
  ['(true', '6: expected `)`, found the end of the condition'],
  ['true)', '5: expected an operator or the end, found `)`'],
  ['true true', '6: expected an operator or the end, found `true`'],
  ['build.branch ==', '16: expected a value, found the end of the condition'],
  ['== "a"', '1: expected a value, found `==`'],
  ['["a" "b"] includes "a"', '6: expected `]`, found a string'],
  ['true ? false', '13: expected `:`, found the end of the condition'],
  ['$ == "a"', '1: `$` is not followed by a variable name'],
  ['${A?give it} == "a"', '1: `A` is not set: give it'],
  ['('.repeat(101) + 'true', '101: the condition is nested deeper than 100 levels'],
  ['true'.repeat(3000), '10001: the condition is longer than 10000 characters'],
  ['1' + ' == 1'.repeat(102), 'more than 100 comparisons in a row'],
])('rejects %j', (source, expected) => {
  expect(problem(source)).toContain(expected);
});

test('evaluates a long chain of alternatives without recursion', () => {
  expect(judge(`${'false || '.repeat(1000)}true`)).toBe(true);
});
