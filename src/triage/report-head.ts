/** What stands above the logs: how the build ended, what of it did not pass, where it waits. */
import {
  jobLabel,
  countedClasses,
  countJobs,
  jobClass,
  jobClasses,
  type JobClass,
} from './job-words.ts';
import { currentJobs } from '../watch/changes.ts';
import { scopedBuild, type CommandScope } from '../watch/command-scope.ts';
import type { Build } from '../api/resources/build.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { shortenStart, shorten, widthOf } from '../render/width.ts';
import { buildHeading } from './heading.ts';
import { unblockCommand, waitingSteps } from './next-commands.ts';
import type { ScreenOptions } from './job-table.ts';
import type { Report } from './report-resource.ts';
import { wrap } from './wrap.ts';

export interface HeadOptions extends ScreenOptions {
  readonly build: Build;
  readonly scope: CommandScope;
}

/** Rows for a screen. */
export const reportHead = (report: Report, options: HeadOptions): string[] => [
  ...headingRows(report, options),
  ...revisionRow(report, options),
  ...waitingRows(report, options),
];

function headingRows(
  { build }: Report,
  { build: whole, width, ...options }: HeadOptions,
): string[] {
  const title = buildHeading({ ...build, created_at: whole.created_at }, options);
  const parts = [title, cleanLine(build.cancel_reason ?? ''), countWords(whole)];
  const line = parts.filter((part) => part !== '').join(' · ');
  return wrap(line, { width, indent: 2, byWords: true });
}

/** `2 failed, 1 soft, 3 not run (Image, Deploy)`; of a build without fault what passed. */
function countWords(build: Build): string {
  const counts = countJobs(build);
  const notPassed = jobClasses.filter((name) => name !== 'passed');
  const words = countedClasses(counts, notPassed);
  if (words.length === 0) return countedClasses(counts).join(', ');
  const names = namesOf(build, 'not run');
  return words.join(', ') + (names === '' ? '' : ` (${names})`);
}

/** A few of them by name; there may be hundreds. */
function namesOf(build: Build, wanted: JobClass): string {
  const jobs = currentJobs(build).filter((job) => jobClass(job) === wanted);
  const names = jobs.slice(0, mostNames).map((job) => shorten(jobLabel(job), longestName));
  const more = jobs.length - names.length;
  return [names.join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ');
}

const mostNames = 8;
const longestName = 30;

/** The message gives way before branch and commit; of a branch the end says most. */
function revisionRow({ build }: Report, { colors, width }: HeadOptions): string[] {
  const { message, branch, commit } = build;
  const clean = (text: string | null | undefined): string => cleanLine(text ?? '').trim();
  const name = clean(commit?.slice(0, 10));
  const left = width - 2 - (name === '' ? 0 : widthOf(name) + 3) - leastOfMessage - 3;
  const end = shortenStart(clean(branch), Math.max(leastOfBranch, Math.min(longestName, left)));
  const revision = [end, name];
  const behind = revision.filter((part) => part !== '').join(' · ');
  const room = width - 2 - (behind === '' ? 0 : widthOf(behind) + 3);
  const words = shorten(clean(message?.trim().split('\n', 1)[0]), Math.max(leastOfMessage, room));
  const row = [words, behind].filter((part) => part !== '').join(' · ');
  return row === '' ? [] : [`  ${colors.dim(shorten(row, width - 2))}`];
}

const leastOfMessage = 10;
const leastOfBranch = 8;

/** `■ waits at "Release?" → cictl job unblock web/142#gate`. */
const waitingRows = (report: Report, { build, scope, colors, width }: HeadOptions): string[] =>
  waitingWords(report, build, scope).flatMap(({ step, command }) => {
    const text = `${colors.magenta('■')} waits at "${step}"`;
    const isLong = widthOf(`${text} → ${command}`) > width;
    if (command === '') return [text];
    return isLong ? [text, `  → ${command}`] : [`${text} → ${command}`];
  });

/** The steps that a build waits at, and the commands that let it go on. */
export const waitingWords = (
  { build: { organization: org, pipeline, number } }: Report,
  build: Build,
  scope: CommandScope,
): { readonly step: string; readonly command: string }[] =>
  waitingSteps(build).map((step) => ({
    step: jobLabel(step),
    command: unblockCommand({ org, pipeline, number }, build, step, scope) ?? '',
  }));

/** A command of the report, shorter where the organization is known. */
export function shortCommand(text: string, { build }: Report, scope: CommandScope): string {
  const { organization: org, pipeline, number } = build;
  const ref = { org, pipeline, number };
  const whole = scopedBuild(ref, { ...scope, org: undefined });
  return text.replace(`${whole}#`, `${scopedBuild(ref, scope)}#`);
}
