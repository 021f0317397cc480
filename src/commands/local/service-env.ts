import { resolve } from 'node:path';
import { dataDir } from '../../config/folders.ts';
import type { Context } from '../../context.ts';
import { looksSecret } from '../../dotenv/secret.ts';
import type { Env } from '../../common/env.ts';

/**
 * The environment of the service in the background, which outlives the shell of its user and whose
 * jobs can read it: neither secrets nor what is meant for other commands and other services.
 */
export function serviceEnv({ env, secrets }: Pick<Context, 'env' | 'secrets'>): Env {
  const kept = Object.entries(env).filter(
    ([name, value = '']) =>
      !isOurs.test(name) && !looksSecret(name) && secrets.redact(value) === value,
  );
  // It runs in another folder, where a relative path would point elsewhere.
  return { ...Object.fromEntries(kept), ...folders(env), CICTL_DATA_DIR: dataDir(env) };
}

const isOurs = /^(?:CICTL|BUILDKITE)_/i;

const folders = (env: Env): Env =>
  Object.fromEntries(
    ['CICTL_CONFIG_DIR', 'CICTL_CACHE_DIR'].flatMap((name) => {
      const folder = env[name];
      return folder ? [[name, resolve(folder)]] : [];
    }),
  );
