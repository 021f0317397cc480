import type { CictlError } from '../../errors.ts';
import type { Messages } from '../../terminal/messages.ts';
import type { View } from '../../watch/view.ts';

export interface OutageTeller {
  readonly onFault: (error: CictlError, pause: number) => Promise<void>;
  /** The same look; tells when one succeeds again. */
  readonly watched: <T>(look: () => Promise<T>) => () => Promise<T>;
}

/** Says that the service is out of reach: at once, at every long pause, and when that is over. */
export function outageTeller(view: View, messages: Pick<Messages, 'debug'>): OutageTeller {
  let isOut = false;
  return {
    onFault: async (error, pause) => {
      const line = `${error.message}; looking again in ${(pause / 1000).toFixed(1)} s`;
      if (isOut && pause <= 1000) messages.debug(line);
      else await view.note(line);
      isOut = true;
    },
    watched: (look) => async () => {
      const seen = await look();
      if (isOut) await view.note('the service answers again');
      isOut = false;
      return seen;
    },
  };
}
