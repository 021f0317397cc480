import type { Env } from '../env.ts';

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
