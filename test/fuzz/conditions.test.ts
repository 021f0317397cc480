/**
 * Conditions evaluate like plain JavaScript with the same values, and all other text is rejected.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConditionContext } from '../../src/service/pipeline/conditions/context.ts';
import {
  ConditionError,
  evaluateCondition,
} from '../../src/service/pipeline/conditions/evaluate-condition.ts';
import { bound, anyText, fuzzed } from '../support/fuzz.ts';

const context: ConditionContext = {
  values: {
    'build.branch': 'main',
    'build.message': 'a\nb "c"',
    'build.tag': null,
    'build.number': 7,
    'build.pull_request.draft': true,
    'build.pull_request.labels': ['a', 'main'],
  },
  env: { X: 'main', EMPTY: '', constructor: 'b' },
};

/** A part of a condition, and its value. */
interface Part<T> {
  readonly text: string;
  readonly value: T;
}
const part = <T>(text: string, value: T): Part<T> => ({ text, value });

const quoted = anyText([], 4).map((text) =>
  part(`'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`, text),
);
const string = fc.oneof(
  quoted,
  fc.constantFrom<Part<string | null>>(
    part('build.branch', 'main'),
    part('build.message', 'a\nb "c"'),
    part('build.tag', null),
    part('env("X")', 'main'),
    part('env("NONE")', ''),
    part('build.env("NONE")', null),
    part("build.env('constructor')", 'b'),
    part('$X', 'main'),
    part('$NONE', null),
    part('"-${X}-"', '-main-'),
    part('"${NONE:-main}"', 'main'),
    part('"a\\nb \\"c\\""', 'a\nb "c"'),
    part('"main"', 'main'),
    part('null', null),
  ),
);
const number = fc.oneof(
  fc.nat().map((n) => part(String(n), n)),
  fc.constant(part('build.number', 7)),
);
const regex = fc
  .constantFrom('^m', 'a', 'A', 'main$', '^$', '[ab]', 'm.*n', '\\s')
  .chain((source) =>
    fc
      .boolean()
      .map((ignoreCase) =>
        part(`/${source}/${ignoreCase ? 'i' : ''}`, new RegExp(source, ignoreCase ? 'i' : '')),
      ),
  );
const list = fc.oneof(
  fc.array(quoted, { maxLength: 3 }).map((items) =>
    part(
      `[${items.map(({ text }) => text).join(', ')}]`,
      items.map(({ value }) => value),
    ),
  ),
  fc.constant(part('build.pull_request.labels', ['a', 'main'])),
);

const isMatched = (value: string | null, regex: RegExp): boolean =>
  value !== null && regex.test(value);

const { condition } = fc.letrec<{ condition: Part<boolean>; atom: Part<boolean> }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    // Without parentheses, to test precedence.
    fc
      .array(fc.array(tie('atom'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((all) =>
        part(
          all.map((each) => each.map(({ text }) => text).join(' && ')).join(' || '),
          all.some((each) => each.every(({ value }) => value)),
        ),
      ),
    fc
      .tuple(tie('atom'), tie('atom'), tie('atom'))
      .map(([one, yes, no]) =>
        part(`${one.text} ? ${yes.text} : ${no.text}`, one.value ? yes.value : no.value),
      ),
  ),
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      part('true', true),
      part('false', false),
      part('build.pull_request.draft', true),
    ),
    fc
      .tuple(string, fc.boolean(), string)
      .map(([a, same, b]) =>
        part(`${a.text} ${same ? '==' : '!='} ${b.text}`, (a.value === b.value) === same),
      ),
    fc
      .tuple(number, fc.boolean(), number)
      .map(([a, same, b]) =>
        part(`${a.text}${same ? '==' : '!='}${b.text}`, (a.value === b.value) === same),
      ),
    fc
      .tuple(string, fc.boolean(), regex)
      .map(([a, same, b]) =>
        part(`${a.text} ${same ? '=~' : '!~'} ${b.text}`, isMatched(a.value, b.value) === same),
      ),
    fc
      .tuple(list, string)
      .map(([a, b]) =>
        part(`${a.text} includes ${b.text}`, b.value !== null && a.value.includes(b.value)),
      ),
    fc.tuple(list, regex).map(([a, b]) =>
      part(
        `${a.text} includes ${b.text}`,
        a.value.some((one) => b.value.test(one)),
      ),
    ),
    fc
      .tuple(fc.nat(4), tie('condition'))
      .map(([times, inner]) =>
        part(
          `${'!'.repeat(times)}( ${inner.text} // why\n)`,
          times % 2 === 0 ? inner.value : !inner.value,
        ),
      ),
  ),
}));

test('a condition evaluates to the result of its parts', () => {
  fc.assert(
    fc.property(condition, ({ text, value }) => {
      fc.pre(text.length < 5000);
      expect(evaluateCondition(text, context)).toBe(value);
    }),
    fuzzed(1500),
  );
});

const signs = [
  ...['build.branch', 'build.number', 'build.pull_request.labels', 'env("X")', 'true', 'null', '7'],
  ...[' == ', ' != ', ' =~ ', ' !~ ', ' includes ', ' && ', ' || ', ' ? ', ' : ', '!', '(', ')'],
  ...[
    '[',
    ']',
    ',',
    '"a"',
    "'a'",
    '"',
    "'",
    '/a/',
    '/',
    '/(/',
    '/(a+)+$/i',
    '$X',
    '${',
    '//',
    '\\',
  ],
];

const ofSigns = fc.array(fc.constantFrom(...signs), { maxLength: 4 }).map((all) => all.join(''));

test('any text is a condition, or rejected with its column', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(anyText(signs, 8), ofSigns), (text) => {
      try {
        expect(typeof evaluateCondition(text, context)).toBe('boolean');
        accepted++;
      } catch (error) {
        if (!(error instanceof ConditionError)) throw error;
        expect(error.message).not.toMatch(/undefined|\[object/);
        expect(error.column).toBeGreaterThan(0);
        expect(error.column).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    fuzzed(1500),
  );
  expect(accepted).toBeGreaterThan(bound(2));
});
