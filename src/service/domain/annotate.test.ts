import { expect, test } from 'vitest';
import { annotate, type NewAnnotation } from './annotate.ts';
import type { Annotation } from './records.ts';
import { expectRefusal } from '../../../test/support/units/scenario.ts';

const old: Annotation = {
  ...{ id: 'old', buildId: 'build', context: 'c', style: 'error', priority: 9 },
  ...{ body: '- a', html: '', createdAt: 1000, updatedAt: 1000 },
};

const write = (given: Partial<NewAnnotation>, before?: Annotation) => {
  const plain = { body: '- b', style: undefined, priority: undefined, context: 'c', append: false };
  const owner = { buildId: 'build', jobId: null };
  return annotate(before, { ...plain, ...given }, owner, 4000, () => 'new');
};

test.each([false, true])('a new annotation has defaults, with append %s', (append) => {
  expect(write({ append })).toEqual({
    ...{ id: 'new', buildId: 'build', context: 'c', style: 'info', priority: 3 },
    ...{ body: '- b', createdAt: 4000, updatedAt: 4000 },
  });
});

test('writing a context again replaces its contents, defaults included', () => {
  expect(write({}, old)).toEqual({
    ...{ id: 'old', buildId: 'build', context: 'c', style: 'info', priority: 3 },
    ...{ body: '- b', createdAt: 1000, updatedAt: 4000 },
  });
});

test('appending keeps style and priority unless they are given', () => {
  const append = true;
  expect(write({ append }, old)).toMatchObject({ id: 'old', style: 'error', priority: 9 });
  expect(write({ append, style: 'success', priority: 1 }, old)).toMatchObject({
    ...{ style: 'success', priority: 1, createdAt: 1000, updatedAt: 4000 },
  });
});

test.each([
  ['- a', '- a\n- b'],
  ['- a\n', '- a\n- b'],
  ['', '- b'],
])('appending to %j starts on a new line', (body, expected) => {
  expect(write({ append: true }, { ...old, body }).body).toBe(expected);
});

const megabyte = 1024 * 1024;
const tooLarge = 'The annotation body must be less than 1 MB';

test('limits a body to 1 MiB, counted in bytes', () => {
  const full = 'é'.repeat(megabyte / 2);
  expect(write({ body: full }).body).toBe(full);
  expectRefusal(() => write({ body: `${full}x` }), 'wrong', tooLarge);
});

test('counts existing bytes when appending, but not when replacing', () => {
  const before = { ...old, body: 'x'.repeat(megabyte - 2) };
  expect(write({ body: 'y', append: true }, before).body).toHaveLength(megabyte);
  expectRefusal(() => write({ body: 'yy', append: true }, before), 'wrong', tooLarge);
  expect(write({ body: 'yy' }, before).body).toBe('yy');
});
