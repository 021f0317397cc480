import { getIntrospectionQuery, parse, getOperationAST, validate } from 'graphql';
import { expect, test } from 'vitest';
import { queryDepth, textDepth, type Variables, queryComplexity } from './query-limits.ts';
import { schema } from './execute-query.ts';

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

function complexity(text: string, variables: Variables = {}): number {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return queryComplexity(schema, document, operation, variables);
}

test.each([
  ['{ viewer { user { name } } }', 3],
  ['{ a: viewer { id } b: viewer { id } }', 4],
  // viewer, builds, and each of what is in it as often as the list is long.
  ['{ viewer { builds(first: 7) { count } } }', 2 + 7],
  ['{ viewer { builds(last: 7) { count edges { node { number } } } } }', 2 + 7 * 4],
  ['{ viewer { builds { count } } }', 2 + 30],
  ['{ viewer { builds(first: null) { count } } }', 2 + 30],
  ['{ viewer { builds(first: 7, last: 9) { count } } }', 2 + 9],
  ['{ viewer { builds(first: 0) { edges { node { jobs(first: 500) { count } } } } } }', 2],
  ['{ viewer { builds(first: -3) { count } } }', 2],
  [
    '{ viewer { builds(first: 5) { edges { node { jobs(first: 4) { edges { node { __typename } } } } } } } }',
    2 + 5 * 3 + 5 * 4 * 3,
  ],
  [
    '{ viewer { ... on Viewer { id } ...F ...F } } fragment F on Viewer { builds(first: 3) { count } }',
    2 + 2 * 4,
  ],
  [
    '{ viewer { builds(first: 2) { ...E } } } fragment E on BuildConnection { edges { cursor } }',
    2 + 2 * 2,
  ],
  [
    '{ node(id: "x") { id ... on Pipeline { builds(first: 3) { count } } ... on Build { jobs { count } } } }',
    2 + 4 + 31,
  ],
  ['{ job(uuid: "x") { ... on JobTypeCommand { artifacts(first: 4) { count } } } }', 2 + 4],
  [
    '{ viewer { id @skip(if: true) builds @include(if: false) { count } user @skip(if: false) { name } } }',
    3,
  ],
  ['{ __schema { types { name fields { name } } } viewer { id } }', 2],
])('%s', (query, expected) => {
  expect(complexity(query)).toBe(expected);
});

test.each([
  [{ n: 12 }, 2 + 12],
  [{ n: 500, some: true }, 2 + 500],
  [{ n: 500, some: false }, 1],
  [{}, 2 + 30],
])('sizes and conditions come from the variables %j', (variables, expected) => {
  const query =
    'query($n: Int, $some: Boolean!) { viewer { builds(first: $n) @include(if: $some) { count } } }';
  expect(complexity(query, variables)).toBe(expected);
});

test('introspection is free', () => {
  expect(complexity(getIntrospectionQuery({ inputValueDeprecation: true }))).toBe(0);
});

test('fragments that name one another many times are counted once each', () => {
  const twice = Array.from(
    { length: 60 },
    (_, n) => `fragment F${n} on Viewer { ...F${n + 1} ...F${n + 1} }`,
  );
  const query = `{ viewer { ...F0 } } ${twice.join(' ')} fragment F60 on Viewer { id }`;
  expect(complexity(query)).toBe(1 + 2 ** 60);
});
