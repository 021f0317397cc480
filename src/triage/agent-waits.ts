/** Jobs that no connected agent may take: what an agent would have to be. */
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { jobLabel } from './job-words.ts';
import type { ScreenOptions } from './job-table.ts';
import { wrap } from './wrap.ts';

/** `○ no agent has queue=gpu: Train, Test`, a line for what jobs have in common; else nothing. */
export const agentWaits = ({ jobs }: Build, { width }: Pick<ScreenOptions, 'width'>): string =>
  agentWaitsOf(jobs ?? [])
    .flatMap((wait) => wrap(`○ ${wait}`, { width, indent: 2, byWords: true }))
    .map((row) => `${row}\n`)
    .join('');

/** `no agent has queue=gpu: Train, Test`, each thing that jobs wait for once. */
export function agentWaitsOf(jobs: readonly Job[]): string[] {
  const names = new Map<string, string[]>();
  for (const job of jobs) {
    const wait = agentWait(job);
    if (wait !== '') names.set(wait, [...(names.get(wait) ?? []), jobLabel(job)]);
  }
  return [...names].map(([wait, labels]) => `${wait}: ${labels.join(', ')}`);
}

/** `no agent has queue=gpu, os=linux`; empty for a job that waits for none. */
export const agentWait = ({ waiting_for_agents: tags }: Job): string =>
  tags && tags.length > 0 ? cleanLine(`no agent has ${tags.join(', ')}`) : '';
