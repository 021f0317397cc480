import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzed } from '../../../test/support/fuzz.ts';
import { runJq } from './jq.ts';
import { membersRead } from './members.ts';

test.each<[string, readonly string[]]>([
  ['length', []],
  ['.[0].number', ['number']],
  ['.[-1]."a b"', ['a b']],
  ['.[0]["a"].b', ['a']],
  ['sort_by(.created_at) | .[0].number', ['created_at', 'number']],
  ['sort_by(.state, .number) | reverse | .[0:3] | map(.id)', ['state', 'number', 'id']],
  ['sort_by(.state)[-1].pipeline.slug', ['state', 'pipeline']],
  ['group_by(.state) | map({state: .[0].state, count: length})', ['state']],
  ['group_by(.state) | map({(.[0].state): length}) | add', ['state']],
  ['max_by(.number) | .number, .state', ['number', 'state']],
  ['min_by(.jobs | length) | {number, jobs: .jobs[0].id}', ['jobs', 'number']],
  ['[.[] | select(.blocked and .state != "failed") | .id] | unique', ['blocked', 'state', 'id']],
  ['unique_by(.branch) | .[] | "\\(.branch): \\(.number)"', ['branch', 'number']],
  ['first(.[] | select(.number > 3)) | .number | . as $n | $n + 1', ['number']],
  ['{n: length, newest: .[0].number | tostring, b: 1}', ['number']],
  ['.[0].a[.[0].b]', ['a', 'b']],
  ['any(.blocked)', ['blocked']],
  ['.[0].number | "a\tb"', ['number']],
])('%s reads %j', (program, members) => {
  expect(membersRead(program)).toEqual(members);
});

test.each([
  '.',
  '.[]',
  'sort_by(.number)',
  'sort_by(.number) | .[0]',
  'sort_by(.) | .[0].number',
  'unique | length',
  'map(length)',
  'map(keys) | add',
  '.[0] | to_entries | length',
  '.[0] == .[1]',
  '.[0] as $first | .[1].number',
  '"\\(.[0])"',
  '[.[0], .[1].number] | length',
  'group_by(.state) | map(.[0])',
  'map({build: .}) | .[0].build.number',
  '.[.[0].number]',
  '.[[1]]',
  'map(.a |= 1) | length',
  'map(.a // .) | length',
  '.. | numbers',
  'def f: .; f | length',
  'length # of all',
  'length; 1',
  'map(.a))',
  'map(.a',
  '"open',
  '.[0]["a\nb"]',
  '$ENV | length',
])('%s may read more', (program) => {
  expect(membersRead(program)).toBeUndefined();
});

const name = fc.constantFrom('a', 'b', 'c');
const { of, list } = fc.letrec<{ of: string; list: string }>((tie) => ({
  // Of an element.
  of: fc.oneof(
    { maxDepth: 2 },
    name.map((a) => `.${a}`),
    name.map((a) => `.["${a}"]`),
    fc.constantFrom('1', '"x"', '.', 'length', 'type', '.a[0]', '.a[.b]?', '(.a | length)', 'keys'),
    fc
      .tuple(tie('of'), fc.constantFrom('==', ',', '+', '//', 'and', '|'), tie('of'))
      .map(([a, sign, b]) => `${a} ${sign} ${b}`),
    fc.tuple(name, tie('of')).map(([a, b]) => `{${a}, n: (${b})}`),
    tie('of').map((a) => `"\\(${a})"`),
    tie('of').map((a) => `select(${a})`),
  ),
  list: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('.', 'reverse', '.[0]', '.[1:]', '.[-1]', 'first', 'last', '.[]', 'length'),
    fc
      .tuple(
        fc.constantFrom('map', 'sort_by', 'group_by', 'unique_by', 'max_by', 'min_by', 'any'),
        tie('of'),
      )
      .map(([call, a]) => `${call}(${a})`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `${a} | ${b}`),
    fc.tuple(tie('list'), tie('of')).map(([a, b]) => `${a} | ${b}`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `${a}, ${b}`),
    tie('list').map((a) => `[.[] | ${a}]`),
    tie('list').map((a) => `map(${a})`),
    name.map((a) => `group_by(.${a}) | map({${a}: .[0].${a}, n: length})`),
  ),
}));

const element = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        a: fc.oneof(fc.nat(3), fc.constant(null), fc.array(fc.nat(3), { maxLength: 2 })),
        b: fc.oneof(fc.nat(1), fc.constantFrom('x', 'y')),
        c: fc.boolean(),
        d: fc.nat(9),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 5, 'text', []) },
);

test('with the members alone, a program gives what it gives for whole elements', async () => {
  let understood = 0;
  const programs = fc.oneof(
    list,
    fc.tuple(list, of).map((two) => two.join(' | ')),
  );
  await fc.assert(
    fc.asyncProperty(programs, fc.array(element, { maxLength: 5 }), async (program, elements) => {
      const members = membersRead(program);
      if (members === undefined) return;
      understood += 1;
      const run = (value: unknown) =>
        runJq(program, JSON.stringify(value), { indent: false, isCostly: false });
      const picked = elements.map((one) => pick(one, members));
      expect(await run(picked)).toEqual(await run(elements));
    }),
    fuzzed(1500),
  );
  expect(understood).toBeGreaterThan(200);
});

function pick(element: unknown, members: readonly string[]): unknown {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return element;
  const all = element as Record<string, unknown>;
  return Object.fromEntries(members.map((one) => [one, all[one] ?? null]));
}
