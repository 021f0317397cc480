/** What stands round the members of a job on a screen. */
import type { BuildRef } from '../api/refs.ts';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { scopedBuild, scopedCommand, type CommandScope } from '../watch/command-scope.ts';
import { agentWait } from './agent-waits.ts';
import { stateHeading } from './build-heading.ts';
import { unblockCommand } from './build-next.ts';
import { jobLabel } from './job-label.ts';
import { logCommand } from './log-command.ts';
import type { ScreenOptions } from './job-table.ts';
import { wrap } from './wrap.ts';

/** `✗ Unit tests 1/2 failed in 1m35s, 56m ago · exit 1 · web #141`; ends with a newline. */
export function jobHeading(job: Job, ref: BuildRef, options: ScreenOptions): string {
  const { exit_status: status, retries_count: retries, signal } = job;
  const parts = [
    stateHeading(jobLabel(job), { ...job, state: job.state ?? 'unknown' }, options),
    status === null || status === undefined ? '' : `exit ${String(status)}`,
    signal ? `signal ${signal}` : '',
    retries ? `retried ${retries === 1 ? 'once' : `${retries} times`}` : '',
    agentWait(job),
    `${ref.pipeline} #${ref.number}`,
  ];
  const line = parts.filter((part) => part !== '').join(' · ');
  const rows = wrap(line, { width: options.width, indent: 2, byWords: true });
  return `${rows.join('\n')}\n`;
}

/** The command that fits: the log of what ran, followed while it runs, or what lets a step go on. */
export function nextOfJob(
  job: Job,
  ref: BuildRef,
  build: Build,
  scope: CommandScope,
): string | undefined {
  if (job.state === 'blocked') return unblockCommand(ref, build, job, scope);
  if (!job.started_at || (job.type ?? 'script') !== 'script') return undefined;
  const jobs = (build.jobs ?? []).filter((one) => one === job || one.retried !== true);
  const command = logCommand(job, scopedBuild(ref, scope), jobs);
  if (command === null) return undefined;
  return scopedCommand(job.finished_at ? command : `${command} --follow`, scope);
}
