/** The parts of `check-jobs.js` that tests call. */
interface Checked {
  read(): Promise<object>;
  log(id: string): Promise<string>;
}

export function commandOf(n: number, file: string | null): string;
export function checkJobs(
  build: Checked,
  expected: number,
  runs: readonly string[],
): Promise<string[]>;
