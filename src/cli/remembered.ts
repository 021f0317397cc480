import type { Clock } from '../common/clock.ts';
import type { Remembered } from '../config/remembered.ts';
import type { Settings } from '../config/settings.ts';
import type { Env } from '../common/env.ts';

/** Loads the remembered data about checkouts on first use; empty with `--no-cache`. */
export function openRemembered({ cache, token }: Settings, env: Env, clock: Clock): Remembered {
  const nothing = () => Promise.resolve(undefined);
  if (!cache) return { get: nothing, put: nothing, drop: nothing };
  let opened: Promise<Remembered> | undefined;
  const open = (): Promise<Remembered> =>
    (opened ??= import('../config/remembered.ts').then(({ remembered }) =>
      remembered(env, clock, token),
    ));
  return {
    get: async (key) => (await open()).get(key),
    put: async (key, values) => (await open()).put(key, values),
    drop: async () => (await opened)?.drop(),
  };
}
