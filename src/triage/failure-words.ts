/** How a job ended, in the few words of the line above its log. */
import { cleanLine } from '../common/untrusted-text.ts';
import { signalWords } from './words.ts';
import type { Attempt, Failure } from './report-resource.ts';
import { spanOf } from './took.ts';

/** `#unit`, `exit 1`, `1m35s`, `retried once, failed both times`: what is known, in this order. */
export const failureWords = (failure: Failure, now: number): string[] =>
  [
    failure.step_key === null ? '' : `#${failure.step_key}`,
    howItEnded(failure),
    failure.soft_failed ? 'soft' : '',
    spanOf(failure, now),
    retriedWords(failure),
    sectionWords(failure),
  ]
    .map((words) => cleanLine(words).trim())
    .filter((words) => words !== '');

/** `exit 1`; `timed out, signal SIGTERM (cancel)`: of a plain failure its status says all. */
function howItEnded(job: Failure | Attempt): string {
  const { state, exit_status: status } = job;
  const signal = signalWords(job);
  const isPlain = state === 'failed' && (status !== null || signal !== '');
  const exit = status === null || (status === -1 && signal !== '') ? '' : `exit ${String(status)}`;
  return [isPlain ? '' : state.replaceAll('_', ' '), exit, signal]
    .filter((words) => words !== '')
    .join(', ');
}

/** `retried twice, failed all 3 times`; how it ended before, where that differs. */
function retriedWords(failure: Failure): string {
  const { retries } = failure;
  if (retries.length === 0) return '';
  const often = ['once', 'twice'][retries.length - 1] ?? `${retries.length} times`;
  const before = retries.map(howItEnded);
  const isSame = before.every((words) => words === howItEnded(failure));
  const all = retries.length === 1 ? 'both times' : `all ${retries.length + 1} times`;
  return isSame && failure.state === 'failed'
    ? `retried ${often}, failed ${all}`
    : `retried ${often}, before: ${before.join('; ')}`;
}

/** The command itself is where everybody looks first. */
const sectionWords = ({ section }: Failure): string =>
  section === null || /^Running (?:\w+ )?(?:commands?|scripts?)$/i.test(section)
    ? ''
    : `in ${section}`;
