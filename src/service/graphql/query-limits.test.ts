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
  // Rejected by another rule.
  ['{ a { ...F } } fragment F on T { b { ...F } }', 2],
  ['{ ...F } ', 0],
  ['{ __schema { types { fields { type { ofType { ofType { name } } } } } } }', 0],
  ['{ __type(name: "A") { name } a { __typename } }', 2],
  [getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }), 0],
])('%s', (query, depth) => {
  expect(queryDepth(parse(query))).toBe(depth);
});

test('checks fragments that reference each other only once each', () => {
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
])('checks the query text: %s', (text, depth) => {
  expect(textDepth(text, 100)).toBe(depth);
});

function complexity(text: string, variables: Variables = {}): number {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return queryComplexity(document, operation, variables);
}

test.each([
  // The examples in the public documentation ("GraphQL resource limits", "GraphQL cookbook").
  ['{ organization(slug: "o") { pipelines(first: 500) { edges { node { slug } } } } }', 503],
  [
    `{ organization(slug: "o") { pipelines(first: 500) {
      count pageInfo { endCursor hasNextPage }
      edges { node { name slug builds(first: 1) { edges { node { createdAt } } } } } } } }`,
    4 + 500 * (1 + 3),
  ],
  [
    `{ organization(slug: "o") { pipelines(first: 500) { edges { node { slug builds(first: 1) { edges { node {
      number jobs(state: FINISHED, first: 1, agentQueryRules: "queue=q") {
        edges { node { ... on JobTypeCommand { uuid agentQueryRules createdAt } } } } } } } } }
      pageInfo { hasNextPage endCursor } } } }`,
    4 + 500 * (1 + 2 + (1 + 2 + 1)),
  ],
  [
    `{ organization(slug: "o") { pipelines(first: 10) { edges { node { name slug
      builds(first: 10, state: RUNNING) { edges { node { id number message state url } } } } } } } }`,
    3 + 10 * (1 + 2 + 10),
  ],
  ['{ pipeline(slug: "o/p") { builds(branch: "b") { count } } }', 2],
  ['{ build(slug: "o/p/1") { pipeline { name } url startedAt finishedAt } }', 2],
  ['mutation { buildCancel(input: { id: "x" }) { build { number } } }', 2],

  ['{ viewer { user { name } } }', 2],
  ['{ a: viewer { id } b: viewer { id } }', 2],
  ['{ viewer { builds(last: 7) { count edges { cursor node { number } } } } }', 3 + 7],
  ['{ viewer { builds { edges { node { number } } } } }', 3 + 30],
  ['{ viewer { builds(first: null) { edges { node { number } } } } }', 3 + 30],
  ['{ viewer { builds(first: 7, last: 9) { edges { node { number } } } } }', 3 + 9],
  ['{ viewer { builds(first: 0) { edges { node { jobs { count } } } } } }', 3],
  ['{ viewer { builds(first: -3) { edges { node { number } } } } }', 3],
  [
    '{ viewer { ... on Viewer { id } ...F ...F } } fragment F on Viewer { builds(first: 3) { count } }',
    3,
  ],
  [
    `{ viewer { a: builds(first: 2) { ...E } b: builds(first: 5) { ...E } } }
      fragment E on BuildConnection { edges { ...N } } fragment N on BuildEdge { node { number } }`,
    1 + (2 + 2) + (2 + 5),
  ],
  [
    `{ node(id: "x") { ... on Pipeline { builds(first: 3) { edges { node { id } } } }
      ... on Build { jobs { pageInfo { endCursor } } } } }`,
    1 + (2 + 3) + 2,
  ],
  [
    '{ viewer { id builds @include(if: false) { count } a: user @skip(if: true) { name } user @skip(if: false) { name } } }',
    2,
  ],
  ['{ __schema { types { name fields { name } } } viewer { id } }', 1],
])('%s', (query, expected) => {
  expect(complexity(query)).toBe(expected);
});

test.each([
  [{ n: 12 }, 3 + 12],
  [{ n: 500, some: true }, 3 + 500],
  [{ n: 500, some: false }, 1],
  [{}, 3 + 30],
])('uses the variables %j for sizes and conditions', (variables, expected) => {
  const query =
    'query($n: Int, $some: Boolean!) { viewer { builds(first: $n) @include(if: $some) { edges { node { id } } } } }';
  expect(complexity(query, variables)).toBe(expected);
});

test('introspection is free', () => {
  expect(complexity(getIntrospectionQuery({ inputValueDeprecation: true }))).toBe(0);
});

test('counts fragments that reference each other once each', () => {
  const twice = Array.from(
    { length: 60 },
    (_, n) => `fragment F${n} on Viewer { ...F${n + 1} ...F${n + 1} }`,
  );
  const query = `{ viewer { ...F0 } } ${twice.join(' ')} fragment F60 on Viewer { user { id } }`;
  expect(complexity(query)).toBe(1 + 2 ** 60);
});
