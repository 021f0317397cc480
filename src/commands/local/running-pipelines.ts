import { dataDir } from '../../config/folders.ts';
import type { Env } from '../../env.ts';
import { callAdmin } from '../../service/admin.ts';
import { readState } from '../../service/state.ts';

/** Milliseconds: somebody has pressed Tab. */
const longestCall = 1000;

/** The pipelines of an organization of the built-in service; none while it does not run. */
export async function runningPipelines(
  env: Env,
  org: string,
): Promise<{ text: string; summary: string }[]> {
  const state = await readState(dataDir(env));
  if (state === undefined) return [];
  const path = `/organizations/${encodeURIComponent(org)}/pipelines`;
  const list = await callAdmin(state, 'GET', path, undefined, longestCall);
  return (list as Pipeline[]).map(({ slug, folder }) => ({ text: slug, summary: folder ?? '' }));
}

interface Pipeline {
  readonly slug: string;
  readonly folder?: string | null;
}
