/** Applies the setting `keep` for as long as the service runs. */
import { startTimer, type Timer } from '../../common/clock.ts';
import type { Store } from '../store/store.ts';
import { parseKeep } from './keep.ts';
import type { Pruner } from './pruner.ts';

const hour = 3_600_000;

export interface Pruning {
  /** Changes the setting and applies it; null keeps all. */
  set(keep: string | null): void;
  stop(): Promise<void>;
}

/** Applied at once and then every hour. What cannot be removed now is tried again then. */
export function startPruning(
  { settings }: Pick<Store, 'settings'>,
  pruner: Pruner,
  startEvery: StartEvery = everyHour,
): Pruning {
  const apply = (): void => {
    const keep = parseKeep(settings.get('keep') ?? '');
    if (keep !== undefined) pruner.prune(keep).catch(() => undefined);
  };
  const timer = startEvery(apply);
  pruner.removeLeftovers().catch(() => undefined);
  apply();
  return {
    set: (keep) => {
      settings.set('keep', keep);
      apply();
    },
    stop: async () => {
      timer.stop();
      await pruner.close();
    },
  };
}

type StartEvery = (callback: () => void) => Pick<Timer, 'stop'>;

function everyHour(callback: () => void): Pick<Timer, 'stop'> {
  const next = (): Timer =>
    startTimer(
      hour,
      () => {
        timer = next();
        callback();
      },
      { keepsProcess: false },
    );
  let timer = next();
  return { stop: () => timer.stop() };
}
