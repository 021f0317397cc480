/** The test that runs when all others have. */
import { env } from 'node:process';
import { expect, inject, test } from 'vitest';
import { problems, type Row } from './problems.ts';
import { readRan } from './read.ts';

/** `isOfRows`: whether the tests of a file exist for rows alone. */
export function checkRows(rows: readonly Row[], isOfRows: (file: string) => boolean): void {
  const { all, files, byName } = inject('chosen');
  // A run of a few files answers for the rows of these; a run of a few names for none.
  test.skipIf(byName)('each row has a test that ran, and each contract test a row', () => {
    const ofThisRun = rows.filter(({ file }) => all || files.includes(file));
    expect(problems(ofThisRun, readRan(env['CICTL_TESTS_RAN'] ?? ''), isOfRows)).toEqual([]);
  });
}
