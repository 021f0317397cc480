import type { Writable } from 'node:stream';
import { CictlError } from '../errors.ts';
import { ReaderGone, type DataStream } from '../render/data-stream.ts';
import type { Env } from '../common/env.ts';

export { ReaderGone };

export type OutputTarget = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Writes one chunk at a time. If the stream is not a terminal, its width is `columns`. */
export function dataStream(target: OutputTarget, columns = Infinity): DataStream {
  const isTerminal = target.isTTY === true;
  let failure: Error | undefined;
  let isUsed = false;
  // Errors are passed to the write callback. Without a listener, they would also end the process.
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
    // On a full disk, even an empty write fails. That does not matter if nothing was written.
    close: () => (isUsed ? write('') : Promise.resolve()),
  };
}

function explain(error: NodeJS.ErrnoException): Error {
  if (readerGoneCodes.has(error.code ?? '')) return new ReaderGone();
  const message = `cannot write to standard output: ${error.message}`;
  return new CictlError('machine', message, { cause: error });
}

const readerGoneCodes = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);

/**
 * Whether a stream is colored. Checked in this order: the flag, `NO_COLOR`, `FORCE_COLOR` and
 * `CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, and whether the stream is a terminal.
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
