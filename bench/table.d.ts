/** The parts of `table.js` that tests call. */
interface Row {
  readonly name: string;
  readonly against: string;
  readonly goal?: string;
  readonly sign?: string;
}

interface Result {
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  readonly figure?: number;
}

export function measured(row: Row, result: Result, unit: string): string;
export function notMeasured(row: Row, reason: string): string;
export function misses(figure: number, goal: string): boolean;
