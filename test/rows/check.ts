/** A test that runs after all others. */
import { env } from 'node:process';
import { expect, inject, test } from 'vitest';
import { problems, type Row } from './problems.ts';
import { readRan } from './read.ts';

/** `isOfRows`: whether the tests of a file exist only for rows. */
export function checkRows(rows: readonly Row[], isOfRows: (file: string) => boolean): void {
  const { all, files, byName } = inject('chosen');
  // A run of some files only checks the rows of these; a run of some test names checks none.
  test.skipIf(byName)('each row has a test that ran, and each contract test a row', () => {
    const ofThisRun = rows.filter(({ file }) => all || files.includes(file));
    expect(problems(ofThisRun, readRan(env['CICTL_TESTS_RAN'] ?? ''), isOfRows)).toEqual([]);
  });
}
