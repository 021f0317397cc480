import type { CictlError } from '../errors.ts';
import type { Context } from '../context.ts';
import type { View } from './view.ts';
import type { Clock } from '../clock.ts';

export interface OutageReporter {
  readonly onFault: (error: CictlError, pause: number) => Promise<void>;
  /** The same look; tells when one succeeds again. */
  readonly watched: <T>(look: () => Promise<T>) => () => Promise<T>;
}

const minute = 60_000;

/** Says that the service is out of reach: at once, then every minute, and when that is over. */
export function createOutageReporter(
  view: Pick<View, 'note'>,
  {
    clock,
    messages,
  }: { readonly clock: Clock; readonly messages: Pick<Context['messages'], 'debug'> },
): OutageReporter {
  let toldAt: number | undefined;
  return {
    onFault: async (error, pause) => {
      const line = `${error.message}; looking again in ${(pause / 1000).toFixed(1)} s`;
      const now = clock.now();
      const isNews = toldAt === undefined || now - toldAt >= minute || pause >= minute;
      if (!isNews) {
        messages.debug(line);
        return;
      }
      toldAt = now;
      await view.note(line);
    },
    watched: (look) => async () => {
      const seen = await look();
      if (toldAt !== undefined) await view.note('the service answers again');
      toldAt = undefined;
      return seen;
    },
  };
}
