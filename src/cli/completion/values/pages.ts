/** What has a page: pipelines, their builds, and the jobs of these. */
import { builds } from './builds.ts';
import { jobs } from './jobs.ts';
import { targets } from './pipelines.ts';
import type { Source } from './world.ts';

/** Pipelines first; builds behind their slash, or by number where a pipeline is known; jobs behind `BUILD#`. */
export const pages: Source = async (typed, parts) => {
  const { org, pipeline } = parts.settings;
  if (typed.includes('#')) return jobs(typed, parts);
  const [first, second, third] = typed.split('/');
  if (third !== undefined || (second !== undefined && first !== org)) return builds(typed, parts);
  const found = await targets(typed, parts);
  if (second !== undefined || pipeline === undefined) return found;
  return [...found, ...(await builds(typed, parts)).filter(({ text }) => !text.includes('/'))];
};
