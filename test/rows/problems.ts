/** A row of the API specification, and the test that covers it. */
export interface Row {
  /** The section of the specification. */
  readonly section: string;
  /** The text of the row. */
  readonly row: string;
  /** The path of the test file, relative to the project root. */
  readonly file: string;
  /** The full name of the test. */
  readonly test: string;
}

/** Names of the tests that ran, by test file. */
export type Ran = ReadonlyMap<string, readonly string[]>;

/** Whether all tests of a file exist only for rows. */
type IsOfRows = (file: string) => boolean;

/** All mismatches between rows and tests, one per line. */
export function problems(rows: readonly Row[], ran: Ran, isOfRows: IsOfRows): string[] {
  return [
    ...twice(rows),
    ...rows.flatMap((row) => untested(row, ran)),
    ...rowless(rows, ran, isOfRows),
  ];
}

function twice(rows: readonly Row[]): string[] {
  const names = rows.map(nameOf);
  const again = names.filter((name, index) => names.indexOf(name) !== index);
  return again.map((name) => `${name}: there are two rows of this name`);
}

/** If two tests have the same name, one could be skipped without notice. */
function untested(row: Row, ran: Ran): string[] {
  const found = (ran.get(row.file) ?? []).filter((test) => test === row.test).length;
  if (found === 1) return [];
  const why = found === 0 ? 'no such test ran' : 'there are two tests of this name';
  return [`${nameOf(row)}: ${why}: ${row.file}: ${row.test}`];
}

function rowless(rows: readonly Row[], ran: Ran, isOfRows: IsOfRows): string[] {
  const named = new Set(rows.map(({ file, test }) => `${file}: ${test}`));
  return [...ran]
    .filter(([file]) => isOfRows(file))
    .flatMap(([file, tests]) => tests.map((test) => `${file}: ${test}`))
    .filter((name) => !named.has(name))
    .map((name) => `${name}: this test has no row`);
}

const nameOf = ({ section, row }: Row): string => `${section}, ${row}`;
