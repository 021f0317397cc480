import { getIntrospectionQuery, parse } from 'graphql';
import { expect, test } from 'vitest';
import { queryDepth, textDepth } from './query-depth.ts';

test.each([
  ['{ a }', 1],
  ['{ a { b { c } } d { e } }', 3],
  ['{ a { ... on T { b } } }', 2],
  ['{ a { ... { ... { b { c } } } } }', 3],
  ['{ a { ...F } } fragment F on T { b { c } }', 3],
  ['{ ...F ...G } fragment F on T { b } fragment G on T { ...F c { d } }', 2],
  ['query A { a } query B { a { b } }', 2],
  ['mutation { a { b } }', 2],
  // Another rule refuses it.
  ['{ a { ...F } } fragment F on T { b { ...F } }', 2],
  ['{ ...F } ', 0],
  ['{ __schema { types { fields { type { ofType { ofType { name } } } } } } }', 0],
  ['{ __type(name: "A") { name } a { __typename } }', 2],
  [getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }), 0],
])('%s', (query, depth) => {
  expect(queryDepth(parse(query))).toBe(depth);
});

test('fragments that name one another many times are looked at once each', () => {
  const twice = Array.from(
    { length: 60 },
    (_, n) => `fragment F${n} on T { ...F${n + 1} ...F${n + 1} }`,
  );
  expect(queryDepth(parse(`{ ...F0 } ${twice.join(' ')} fragment F60 on T { a }`))).toBe(1);
});

test.each([
  ['{ a { b } }', 2],
  ['{ a(x: { y: { z: {} } }) { b(s: "{{{") } } # {{{', 2],
  ['{ a { b { c', 3],
  ['{ a { b " ', 2],
  ['{ a '.repeat(90), 50],
])('of a text alone: %s', (text, depth) => {
  expect(textDepth(text, 100)).toBe(depth);
});
