/**
 * Variables in pipeline files: parts with known values are combined correctly, and nothing throws.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpolate } from '../../src/service/pipeline/interpolate.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';

const known = new Map([
  ['V', 'value'],
  ['E', ''],
  ['ü', '$V'],
]);

function filled(text: string): { text: string; problems: string[] } {
  const problems: string[] = [];
  const result = interpolate(text, {
    get: (name) => known.get(name),
    isLeftToShell: (name) => name === 'PATH',
    unset: () => undefined,
    problem: (problem) => problems.push(problem),
  });
  return { text: result, problems };
}

/** The source text, and its value. */
type Piece = readonly [written: string, text: string];

const plain = anyText([], 4)
  .map((text) => text.replaceAll(/[$\\{}]/g, ''))
  .map((text): Piece => [` ${text}`, ` ${text}`]);
const fixed = fc.constantFrom<Piece>(
  ['${V}', 'value'],
  ['${E}', ''],
  ['${ü}', '$V'],
  ['$V ', 'value '],
  ['$$', '$'],
  ['\\$', '$'],
  ['\\\\', '\\\\'],
  ['${V:1:3}', 'alu'],
  ['${V: -2}', 'ue'],
  ['$1', '$1'],
  ['$(date)', '$(date)'],
  ['${PATH}', '${PATH}'],
  ['${NONE}', ''],
);
const { piece } = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small', maxDepth: 10 },
    plain,
    fixed,
    fc
      .tuple(fc.constantFrom('NONE:-', 'E:-', 'NONE-'), tie('piece'))
      .map(([start, [written, text]]): Piece => [`\${${start}${written}}`, text]),
    fc
      .tuple(fc.constantFrom(':-', '-'), tie('piece'))
      .map(([sign, [written]]): Piece => [`\${V${sign}${written}}`, 'value']),
  ),
}));

test('round-trips interpolated text', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const found = filled(pieces.map(([written]) => written).join(''));
      expect(found).toEqual({ text: pieces.map(([, text]) => text).join(''), problems: [] });
    }),
    fuzzed(1500),
  );
});

test('any text is interpolated, or kept with a problem', () => {
  const signs = ['$', '${', '}', 'V', ':-', '-', ':', '?', '\\', '$$', '${V', '${NONE', 'ü', '1'];
  fc.assert(
    fc.property(anyText(signs), (text) => {
      const found = filled(text);
      for (const problem of found.problems) expect(problem).toMatch(/\S/);
      if (!text.includes('$')) expect(found).toEqual({ text, problems: [] });
    }),
    fuzzed(1500),
  );
});
