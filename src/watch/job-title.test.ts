import { expect, test } from 'vitest';
import { jobTitle, jobTitleLine } from './job-title.ts';

test.each([
  [{ name: 'Unit', label: 'L', step_key: 'k', command: 'make', id: 'i' }, 'Unit'],
  [{ name: ' ', label: 'L', step_key: 'k', command: 'make', id: 'i' }, 'L'],
  [{ name: null, label: '', step_key: 'k', command: 'make', id: 'i' }, 'k'],
  [{ command: '\n make all\nmake test', id: 'i' }, 'make all'],
  [{ command: '', id: 'i' }, 'i'],
  [{ command: null, id: 'i' }, 'i'],
  [{}, 'job'],
])('%j has the title %s', (job, title) => {
  expect(jobTitle(job)).toBe(title);
});

test.each([
  [{ name: '\nmake all\nmake test\n', command: '\nmake all\nmake test\n' }, 'make all'],
  [{ name: 'All\nof it', command: 'make' }, 'All\nof it'],
  [{ name: '', command: '', id: 'i' }, 'i'],
  [{ id: 'i' }, 'i'],
])('a line names %j as %j', (job, title) => {
  expect(jobTitleLine(job)).toBe(title);
});
