import type { Row } from '../../rows/problems.ts';

/** Rows of a section that tests of one file hold: what the specification says, the test's name. */
export const section = (
  name: string,
  file: string,
  tests: Readonly<Record<string, string>>,
): Row[] => Object.entries(tests).map(([row, test]) => ({ section: name, row, file, test }));

/** Rows that are named as their tests are. */
export const same = (name: string, file: string, tests: readonly string[]): Row[] =>
  tests.map((test) => ({ section: name, row: test, file, test }));
