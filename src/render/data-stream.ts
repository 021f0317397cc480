/**
 * The port between rendering and the place where data goes: standard output, a pager, or a string
 * in a test. `terminal/streams.ts` and `terminal/pager.ts` implement it.
 */
export interface DataStream {
  readonly isTerminal: boolean;
  /** Columns of the terminal now; `Infinity` where there is no terminal. */
  readonly width: number;
  /** Rows of the terminal now; `Infinity` where there is no terminal. */
  readonly height: number;
  /**
   * Resolves when more may be written (back-pressure). Throws `ReaderGone` when nobody reads any
   * more, and `CictlError` of kind `machine` when the data cannot be stored.
   */
  write(data: string | Uint8Array): Promise<void>;
  /** Waits until all is handed over; a pager is waited for until the user leaves it. */
  close(): Promise<void>;
}

/** The reader closed the pipe or left the pager: the command ends quietly with 0. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';

  constructor() {
    super('the reader of the output is gone');
  }
}
