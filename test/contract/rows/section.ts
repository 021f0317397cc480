import type { Row } from '../../rows/problems.ts';

/**
 * Rows of a section that are covered by tests in one file: the specification's text and the test's
 * name.
 */
export const section = (
  name: string,
  file: string,
  tests: Readonly<Record<string, string>>,
): Row[] => Object.entries(tests).map(([row, test]) => ({ section: name, row, file, test }));

/** Rows that have the same names as their tests. */
export const same = (name: string, file: string, tests: readonly string[]): Row[] =>
  tests.map((test) => ({ section: name, row: test, file, test }));
