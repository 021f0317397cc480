import { expect, test } from 'vitest';
import { CictlError, toExit, toJson, toText, usageError, type ErrorKind } from './errors.ts';

test.each<[ErrorKind, number]>([
  ['usage', 2],
  ['auth', 6],
  ['not_found', 7],
  ['refused', 8],
  ['unreachable', 9],
  ['rate_limited', 9],
  ['service_failed', 9],
  ['invalid_response', 9],
  ['machine', 10],
  ['internal', 10],
  ['timeout', 124],
  ['interrupted', 130],
  ['terminated', 143],
])('%s ends with %i', (kind, code) => {
  expect(toExit(new CictlError(kind, 'x'))).toBe(code);
});

test('prints message, reasons and next step, each on one line', () => {
  const parts = { details: ['commit is missing', 'bad\nbranch'], hint: 'cictl help' };
  const error = new CictlError('refused', 'cannot create:\n  Validation Failed', parts);
  expect(toText(error)).toBe(
    'cictl: cannot create: Validation Failed (commit is missing; bad branch)\n  try: cictl help',
  );
});

test('prints what is wrong in a file one a line', () => {
  const error = new CictlError('usage', 'p.yml has 2 problems', {
    details: ['p.yml:1:1: a', 'p.yml:2:1: b\nc'],
  });
  expect(toText(error)).toBe('cictl: p.yml has 2 problems\np.yml:1:1: a\np.yml:2:1: b c');
});

test('prints all of it as JSON', () => {
  const error = new CictlError('refused', 'no', { status: 422, details: ['a'] });
  expect(JSON.parse(toJson(error))).toEqual({
    error: { code: 8, kind: 'refused', status: 422, message: 'no', details: ['a'], hint: null },
  });
});

test.each([[new TypeError('x is not a function')], ['a thrown text'], [undefined]])(
  'takes %s for a bug',
  (thrown) => {
    expect(toExit(thrown)).toBe(10);
    expect(toText(thrown)).toContain('internal error');
  },
);

test('leaves no hint where there is none', () => {
  expect(toText(usageError('wrong'))).toBe('cictl: wrong');
});

test('keeps a hint in one line', () => {
  expect(toText(usageError('which job?', 'cictl job list a\nb'))).toBe(
    'cictl: which job?\n  try: cictl job list a b',
  );
});
