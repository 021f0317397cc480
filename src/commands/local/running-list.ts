import type { Env } from '../../common/env.ts';
import { dataDir } from '../../config/folders.ts';
import { callAdmin } from '../../service/admin.ts';
import { readState } from '../../service/state.ts';

/** Timeout in milliseconds. It is short because the user is waiting for completions. */
const timeout = 1000;

/**
 * Completion values for the elements of `kind` in an organization of the local service. `name` and
 * `summary` are the fields to read. Empty if the service is not running.
 */
export async function runningList(
  env: Env,
  org: string,
  [kind, name, summary]: readonly [kind: string, name: string, summary: string],
): Promise<{ text: string; summary: string }[]> {
  const state = await readState(dataDir(env));
  if (state === undefined) return [];
  const path = `/organizations/${encodeURIComponent(org)}/${kind}`;
  const list = await callAdmin(state, 'GET', path, undefined, timeout);
  return (list as Record<string, string | null | undefined>[]).map((one) => ({
    text: one[name] ?? '',
    summary: one[summary] ?? '',
  }));
}
