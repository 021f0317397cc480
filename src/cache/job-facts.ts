/** The cached part of a build: what it takes to find a job by name, and to say how it ended. */
import { readFile } from 'node:fs/promises';
import type { Job } from '../api/resources/job.ts';
import { openCacheDraft } from './draft.ts';

const members = [
  ...(['id', 'type', 'name', 'label', 'step_key', 'state', 'soft_failed'] as const),
  ...(['started_at', 'finished_at', 'exit_status', 'web_url', 'retried'] as const),
] as const satisfies readonly (keyof Job)[];

export async function writeJobFacts(path: string, jobs: readonly Job[]): Promise<void> {
  const facts = jobs.map((job) => Object.fromEntries(members.map((name) => [name, job[name]])));
  const draft = await openCacheDraft(path);
  try {
    await draft.file.writeFile(JSON.stringify({ jobs: facts }));
    await draft.commit();
  } finally {
    await draft.discard();
  }
}

/** Undefined where there are none, or they are damaged. */
export async function readJobFacts(path: string): Promise<Job[] | undefined> {
  try {
    const { jobs } = JSON.parse(await readFile(path, 'utf8')) as { jobs: Job[] };
    return jobs.every((job) => typeof job.id === 'string') ? jobs : undefined;
  } catch {
    return undefined;
  }
}
