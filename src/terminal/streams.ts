import type { Writable } from 'node:stream';
import { CictlError } from '../errors.ts';
import { ReaderGone, type DataStream } from '../render/data-stream.ts';
import type { Env } from '../common/env.ts';

export { ReaderGone };

/** Standard output, or a replacement in tests: a terminal where `isTTY` is true. */
export type OutputTarget = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/**
 * Data to a stream, one write after the other, so that nothing piles up in memory. `columns`: the
 * width of what is no terminal.
 */
export function dataStream(target: OutputTarget, columns = Infinity): DataStream {
  const isTerminal = target.isTTY === true;
  let failure: Error | undefined;
  let isUsed = false;
  // The error of a write comes to its callback; without a listener it would end the process too.
  target.on('error', (error) => (failure ??= explain(error)));
  const write: DataStream['write'] = (data) =>
    new Promise((resolve, reject) => {
      isUsed = true;
      target.write(data, (error) => {
        if (error) reject((failure ??= explain(error)));
        else resolve();
      });
    });
  return {
    isTerminal,
    get width() {
      return isTerminal ? target.columns || 80 : columns;
    },
    get height() {
      return isTerminal ? target.rows || 24 : Infinity;
    },
    write,
    // Even a write of nothing fails on a full disk; what was never written to is no loss.
    close: () => (isUsed ? write('') : Promise.resolve()),
  };
}

/** The error of a failed write in the user's terms. */
function explain(error: NodeJS.ErrnoException): Error {
  if (readerGoneCodes.has(error.code ?? '')) return new ReaderGone();
  const message = `standard output cannot be written: ${error.message}`;
  return new CictlError('machine', message, { cause: error });
}

const readerGoneCodes = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);

/**
 * Whether one stream gets colour (interface, "Output"): the flag, then `NO_COLOR`, then
 * `FORCE_COLOR` and `CLICOLOR_FORCE`, then `CLICOLOR=0`, then `TERM=dumb`, then the stream.
 */
export function wantsColor(flag: boolean | undefined, env: Env, isTerminal: boolean): boolean {
  if (flag !== undefined) return flag;
  if (isSet(env['NO_COLOR'])) return false;
  if (isForced(env['FORCE_COLOR']) || isForced(env['CLICOLOR_FORCE'])) return true;
  if (env['CLICOLOR'] === '0' || env['TERM'] === 'dumb') return false;
  return isTerminal;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';
const isForced = (value: string | undefined): boolean => isSet(value) && value !== '0';
