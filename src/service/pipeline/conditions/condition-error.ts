/** What is wrong with a condition, with its place in the text. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Of the text as a whole, from 1. */
  readonly column: number;

  constructor(message: string, column: number) {
    super(message);
    this.column = column;
  }
}
