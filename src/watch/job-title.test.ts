import { expect, test } from 'vitest';
import { jobTitle } from './job-title.ts';

test.each([
  [{ name: 'Unit', label: 'L', step_key: 'k', command: 'make', id: 'i' }, 'Unit'],
  [{ name: ' ', label: 'L', step_key: 'k', command: 'make', id: 'i' }, 'L'],
  [{ name: null, label: '', step_key: 'k', command: 'make', id: 'i' }, 'k'],
  [{ command: '\n make all\nmake test', id: 'i' }, 'make all'],
  [{ command: '', id: 'i' }, 'i'],
  [{ command: null, id: 'i' }, 'i'],
  [{}, 'job'],
])('%j is called %s', (job, title) => {
  expect(jobTitle(job)).toBe(title);
});
