/** Any content of a pipeline file results in a plan or in errors with their positions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CictlError } from '../../errors.ts';
import { fuzzed } from '../../../test/support/fuzz.ts';
import * as keys from './keys.ts';
import { loadPipeline } from './load.ts';

const known = Object.values(keys).flatMap((one) =>
  typeof one === 'function' ? [] : [...one.run, ...Object.keys(one.shown)],
);
const inner = [
  ...['step', 'allow_failure', 'automatic', 'manual', 'exit_status', 'limit', 'signal', 'setup'],
  ...['adjustments', 'with', 'include', 'exclude', 'text', 'select', 'options', 'env', 'os'],
];
const key = fc.oneof(fc.constantFrom(...known, ...inner), fc.string({ maxLength: 4 }));
const word = fc.constantFrom(
  ...[
    'a',
    'wait',
    '*',
    '',
    'true',
    '1',
    '{{matrix}}',
    '{{matrix.os}}',
    '$X',
    '${X:-b}',
    '$$',
    '${',
  ],
);
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.double());
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));
const sound = fc.constantFrom<unknown>(
  'wait',
  { command: 'x' },
  { block: 'x' },
  { command: 'y', key: 'k' },
);
const step = fc.oneof(
  value,
  sound,
  sound,
  fc
    .tuple(fc.constantFrom(...known), value, fc.dictionary(key, value, { maxKeys: 4 }))
    .map(([kind, content, rest]) => ({ ...rest, command: 'x', [kind]: content })),
);

test('a random file gives a plan or a list of problems', () => {
  let accepted = 0;
  const file = fc.record({ steps: fc.array(step, { maxLength: 4 }) }, { requiredKeys: ['steps'] });
  fc.assert(
    fc.property(file, (content) => {
      try {
        const plan = loadPipeline(JSON.stringify(content), { file: 'p.json', env: {} });
        expect(loadPipeline(JSON.stringify(content), { file: 'p.json', env: {} })).toEqual(plan);
        accepted++;
      } catch (error) {
        if (!(error instanceof CictlError)) throw error;
        expect(error.kind).toBe('usage');
        expect(error.details).not.toEqual([]);
        for (const line of error.details) expect(line).toMatch(/^p\.json:\d+:\d+: \S/);
      }
    }),
    fuzzed(2000),
  );
  expect(accepted).toBeGreaterThan(fuzzed(100).numRuns);
});
