import type { Job } from '../api/resources/job.ts';
import { stateColor, stateLabel } from '../render/state.ts';
import { cleanLine } from '../untrusted-text.ts';
import { duration } from '../render/time.ts';
import { elapsed } from './clock-time.ts';
import { jobNote } from './event-line.ts';
import type { FrameOptions } from './frame.ts';
import type { JobCells } from './frame-row.ts';
import { variantOf } from './short-name.ts';
import { distinctEnd } from './shorten-name.ts';

/** What a line of the frame says of a job. */
export function jobCells(
  job: Job,
  name: string,
  { now, spinner }: Pick<FrameOptions, 'now' | 'spinner'>,
): JobCells {
  const { state: known, soft_failed } = job;
  const state = known ?? 'unknown';
  const shown = cleanLine(name);
  const label = stateLabel(state, { soft_failed });
  return {
    color: stateColor(state, { soft_failed }),
    state: spinner === undefined ? label : label.replace(/^●/, spinner),
    name: shown,
    end: distinctEnd(shown, variantOf(job, '').join(' ')),
    note: cleanLine(shortNote(job)),
    took: took(job, now),
  };
}

/** `exit 2`: in a column there is no place for more words. */
const shortNote = (job: Job): string =>
  jobNote({ ...job, soft_failed: false }).replace('exit status', 'exit');

/** `1m35s`; of what goes on whole seconds, which nothing makes jump. */
function took(job: Job, now: number): string {
  const ms = elapsed(job, now);
  if (ms === undefined) return '';
  const isOver = Boolean(job.finished_at);
  return !isOver && ms < 1000 ? '0s' : duration(ms).replaceAll(' ', '');
}
