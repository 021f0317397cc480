import type { CictlError } from '../errors.ts';
import type { Context } from '../context.ts';
import type { View } from './view.ts';
import type { Clock } from '../clock.ts';

export interface OutageReporter {
  readonly onError: (error: CictlError, pause: number) => Promise<void>;
  /** The same function; reports when the service responds again. */
  readonly watched: <T>(fetch: () => Promise<T>) => () => Promise<T>;
}

const minute = 60_000;

/** Reports that the service is unreachable: at once, then every minute, and when it is back. */
export function createOutageReporter(
  view: Pick<View, 'note'>,
  {
    clock,
    messages,
  }: { readonly clock: Clock; readonly messages: Pick<Context['messages'], 'debug'> },
): OutageReporter {
  let reportedAt: number | undefined;
  return {
    onError: async (error, pause) => {
      const line = `${error.message}; looking again in ${(pause / 1000).toFixed(1)} s`;
      const now = clock.now();
      const isDue = reportedAt === undefined || now - reportedAt >= minute || pause >= minute;
      if (!isDue) {
        messages.debug(line);
        return;
      }
      reportedAt = now;
      await view.note(line);
    },
    watched: (fetch) => async () => {
      const seen = await fetch();
      if (reportedAt !== undefined) await view.note('the service answers again');
      reportedAt = undefined;
      return seen;
    },
  };
}
