import type { Clock } from '../clock.ts';
import type { Remembered } from '../config/remembered.ts';
import type { Settings } from '../config/settings.ts';
import type { Env } from '../env.ts';

/** What is remembered of checkouts, loaded when it is first asked for; nothing under `--no-cache`. */
export function openRemembered({ cache, token }: Settings, env: Env, clock: Clock): Remembered {
  if (!cache) return { get: () => Promise.resolve(undefined), put: () => Promise.resolve() };
  const load = async (): Promise<Remembered> =>
    (await import('../config/remembered.ts')).remembered(env, clock, token);
  return {
    get: async (key) => (await load()).get(key),
    put: async (key, values) => (await load()).put(key, values),
  };
}
