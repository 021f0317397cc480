import { dataDir } from '../../config/folders.ts';
import type { Env } from '../../common/env.ts';
import { callAdmin } from '../../service/admin.ts';
import { readState } from '../../service/state.ts';

/** Milliseconds: somebody has pressed Tab. */
const longestCall = 1000;

type Members = Readonly<Record<string, string | null | undefined>>;

/**
 * What an organization of the built-in service has of a kind, by the members that name and describe
 * one; none while the service does not run.
 */
export async function runningList(
  env: Env,
  org: string,
  [kind, name, summary]: readonly [kind: string, name: string, summary: string],
): Promise<{ text: string; summary: string }[]> {
  const state = await readState(dataDir(env));
  if (state === undefined) return [];
  const path = `/organizations/${encodeURIComponent(org)}/${kind}`;
  const list = await callAdmin(state, 'GET', path, undefined, longestCall);
  return (list as Members[]).map((one) => ({ text: one[name] ?? '', summary: one[summary] ?? '' }));
}
