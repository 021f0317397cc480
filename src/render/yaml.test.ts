import { expect, test, describe } from 'vitest';
import { parse } from 'yaml';
import fc from 'fast-check';
import { parseJson } from '../api/json.ts';
import { toExit } from '../errors.ts';
import { yamlPieces, libraryYaml, plainScalar } from './yaml.ts';
import { some } from '../../test/support/full.ts';

const toYaml = (value: unknown): string => [...yamlPieces(value)].join('');

describe('yaml pieces', () => {
  const values: readonly unknown[] = [
    null,
    'text',
    [],
    {},
    [[], {}, [[1, [2, 3]], 'a\nb\n', '- x', '', null]],
    { a: { b: { c: ['one\n\n two\n', { d: 'trail \n' }] }, no: true }, '': 1, '---': [{}] },
    [
      {
        number: 5,
        jobs: [{ id: 'a', env: { A: '1', B: 'x\n\n\ny' } }, { id: 'b' }],
        blocked: null,
      },
    ],
    { ['k'.repeat(1100)]: { a: [1, 2, 3] }, 'a: b': { '#': ['#'] } },
    parseJson('{"times":[1234567890123456789,[0.12345678901234567890]]}'),
  ];

  test.each(values.map((value) => [value]))('chunks have the same values: %j', (value) => {
    expect(parse(toYaml(value))).toEqual(parse(libraryYaml(value)));
  });

  const nested = (levels: number): unknown =>
    JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;

  test('writes a thousand levels, and rejects more', () => {
    expect([...yamlPieces(nested(1000))].join('')).toBe(`${'- '.repeat(999)}[]\n`);
    for (const levels of [1001, 2000, 20_000]) {
      let thrown: unknown;
      try {
        yamlPieces(nested(levels)).next();
      } catch (error) {
        thrown = error;
      }
      expect([toExit(thrown), (thrown as Error).message]).toEqual([
        9,
        expect.stringContaining('1000 levels'),
      ]);
    }
  });

  test('writes a large value in many chunks', () => {
    const jobs = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
    const pieces = [...yamlPieces({ deep: { jobs } })];
    expect(pieces.length).toBeGreaterThan(10_000);
    expect(pieces.slice(0, 3).join('')).toContain('deep:\n  jobs:\n    - id: 0\n      text: xxx');
  });
});

describe('yaml', () => {
  test.each([
    [
      [{ number: 5, blocked: false, creator: null }],
      '- number: 5\n  blocked: false\n  creator: null\n',
    ],
    [[], '[]\n'],
    [{ message: 'one\ntwo' }, 'message: |-\n  one\n  two\n'],
    [{ commit: '0123', answer: 'no' }, 'commit: "0123"\nanswer: "no"\n'],
  ])('%j', (value, yaml) => {
    expect(toYaml(value)).toBe(yaml);
  });

  test('writes long numbers in full', () => {
    expect(toYaml(parseJson('{"times":[1234567890123456789,0.12345678901234567890]}'))).toBe(
      'times:\n  - 1234567890123456789\n  - 0.12345678901234567890\n',
    );
  });

  test.each([
    '\x9b31m',
    'a\u202eb',
    '\x1b]0;x\x07',
    '\x7f',
    'line\u2028line\n two\u2066',
    'a\x85b',
  ])('escapes %j, and reads back the same', (text) => {
    const yaml = toYaml({ [text]: text, plain: 'é日👍' });
    expect(yaml).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
    expect(parse(yaml)).toEqual({ [text]: text, plain: 'é日👍' });
  });

  test.each([
    ['a\tb', '"a\\tb"'],
    ['=', '"="'],
  ])('quotes %j, which YAML 1.1 readers do not read as a string', (text, quoted) => {
    expect(toYaml({ a: text, [text]: [text] })).toBe(`a: ${quoted}\n${quoted}:\n  - ${quoted}\n`);
  });

  test('a multi-line string with tabs stays a block', () => {
    expect(toYaml({ command: 'all:\n\tmake\n' })).toBe('command: |\n  all:\n  \tmake\n');
  });

  test('neither folds long lines nor creates anchors', () => {
    const shared = { text: 'word '.repeat(60) };
    expect(toYaml([shared, shared]).split('\n')).toHaveLength(3);
  });

  /** Strings that a YAML parser might mistake for something else. */
  const doubtful = fc.constantFrom(
    ...['', 'yes', 'No', 'null', '~', 'y', '-', '--- ', '? a', 'a: b', 'a #b', 'a:', 'a -', '- a'],
    ...['0x1f', '1e5', '1_000', '12:30', '.inf', '2026-01-01', '2026-01-01T09:00:00.000Z', '<<'],
    ...['018f7c3a-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', '=', '%a'],
    ...[
      'https://ci.test/a#b',
      'a\nb',
      'a\n',
      ' a',
      'a ',
      'é',
      '\x1b',
      '"a',
      "it's",
      '{a',
      '[a',
      '\ta',
    ],
    ...[
      'k'.repeat(1100),
      `${'long '.repeat(30)}text`,
      '__proto__',
      '@a',
      '`a',
      '!a',
      '&a',
      '*a',
      '|a',
    ],
  );
  const texts = fc.oneof(doubtful, fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem());
  const numbers = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(-0, 1e21, parseJson('12345678901234567890')),
  );
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      numbers,
      fc.constantFrom(null, true),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  }));

  test('writes the same bytes as the library', () => {
    fc.assert(
      fc.property(values.value, (value) => {
        const [yaml, expected] = [toYaml(value), libraryYaml(value)];
        // The library puts the first line of an object next to the `:` of a long name.
        if (/^ *(?:- )*\?/m.test(expected)) expect(parse(yaml)).toEqual(parse(expected));
        else expect(yaml).toBe(expected);
      }),
      { numRuns: some(3000), seed: 11 },
    );
  });

  test('passes few values of a build to the library', () => {
    const build = {
      ...{ number: 5, state: 'passed', blocked: false, creator: null },
      jobs: [{ id: 'a' }],
    };
    for (const value of Object.values(build).slice(0, 4)) expect(plainScalar(value)).toBeDefined();
    for (const text of [
      'https://ci.test/v2/builds/5?a=b',
      'Fix the build (#5), at last',
      'a@b.test',
    ])
      expect(plainScalar(text)).toBe(text);
  });
});
