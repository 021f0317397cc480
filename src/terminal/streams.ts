import type { Writable } from 'node:stream';
import { CictlError } from '../errors.ts';
import { ReaderGone, type DataStream } from '../render/stream.ts';

export { ReaderGone };

/** Standard output, or what stands for it: a terminal where `isTTY` is true. */
export type Outlet = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/**
 * Data to an outlet, one write after the other, so that nothing piles up in memory. `columns`: the
 * width of what is no terminal.
 */
export function dataStream(outlet: Outlet, columns = Infinity): DataStream {
  const isTerminal = outlet.isTTY === true;
  let failure: Error | undefined;
  // The error of a write comes to its callback; without a listener it would end the process too.
  outlet.on('error', (error) => (failure ??= explain(error)));
  const write: DataStream['write'] = (data) =>
    new Promise((resolve, reject) => {
      outlet.write(data, (error) => {
        if (error) reject((failure ??= explain(error)));
        else resolve();
      });
    });
  return {
    isTerminal,
    get width() {
      return isTerminal ? outlet.columns || 80 : columns;
    },
    get height() {
      return isTerminal ? outlet.rows || 24 : Infinity;
    },
    write,
    close: () => write(''),
  };
}

/** What a failed write means to the user. */
function explain(error: NodeJS.ErrnoException): Error {
  if (gone.has(error.code ?? '')) return new ReaderGone();
  const message = `standard output cannot be written: ${error.message}`;
  return new CictlError('machine', message, { cause: error });
}

const gone = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);
