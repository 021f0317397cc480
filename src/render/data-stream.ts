/** The destination of data: standard output, a pager, or a string in a test. */
export interface DataStream {
  readonly isTerminal: boolean;
  /** Current columns; `Infinity` if the stream is not a terminal */
  readonly width: number;
  /** Current rows; `Infinity` if the stream is not a terminal */
  readonly height: number;
  /**
   * Applies back-pressure. Throws `ReaderGone` if the reader has closed the stream, and
   * `CictlError` of kind `machine` if the data cannot be stored.
   */
  write(data: string | Uint8Array): Promise<void>;
  /** Flushes. If there is a pager, waits until the user quits it. */
  close(): Promise<void>;
}

/** The reader closed the pipe or quit the pager, so the command stops with exit code 0. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';

  constructor() {
    super('the reader closed the output');
  }
}
