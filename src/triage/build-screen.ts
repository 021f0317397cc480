import type { Annotation } from '../api/resources/annotation.ts';
import { type Build, creatorOf, pullRequestOf, memberText } from '../api/resources/build.ts';
import { cleanLine, cleanText } from '../common/untrusted-text.ts';
import { widthOf } from '../render/width.ts';
import { currentJobs, shownJobs, shownState } from '../watch/changes.ts';
import { agentWaits, countedClasses, countJobs } from './job-words.ts';
import { annotationWords } from './annotations.ts';
import { buildHeading, type ScreenOptions } from './heading.ts';
import { jobTable } from './job-table.ts';
import { joined, rowLines } from './words.ts';
import { wrap } from './wrap.ts';

export interface BuildScreen extends ScreenOptions {
  /** The pipeline as the user entered it, because the service may send another name or none */
  readonly pipeline: string;
  readonly number: number;
  readonly annotations: readonly Annotation[] | undefined;
  readonly next: string | undefined;
  readonly short?: boolean;
}

/** Ends with a newline. Its only control characters are the colors. */
export const buildScreen = (build: Build, screen: BuildScreen): string =>
  [
    heading(build, screen),
    message(build, screen),
    revision(build, screen),
    jobTable(jobsOf(build, screen), screen),
    agentWaits(build, screen),
    counts(build, screen),
    addresses(build, screen),
  ].join('');

function heading(build: Build, screen: BuildScreen): string {
  const { pipeline, number, width } = screen;
  const pullRequest = pullRequestOf(build);
  const facts = [
    build.cancel_reason,
    creatorOf(build),
    build.source,
    pullRequest === undefined ? '' : `PR ${pullRequest}`,
    originOf('rebuilt from', build.rebuilt_from),
    originOf('triggered from', build.triggered_from),
  ].map((fact) => cleanLine(fact ?? '').trim());
  const { created_at, started_at, finished_at } = build;
  const times = { created_at, started_at, finished_at };
  const title = buildHeading({ pipeline, number, state: shownState(build), ...times }, screen);
  return rowLines(wrap(joined([title, ...facts], ' · '), { width, indent: 2, byWords: true }));
}

/** For example, `rebuilt from #6` or `triggered from deploy/7`. */
function originOf(words: string, value: unknown): string {
  const number = memberText(value, 'number') ?? memberText(value, 'build_number');
  const slug = memberText(value, 'build_pipeline_slug');
  if (number === undefined) return '';
  return `${words} ${slug === undefined ? '#' : `${slug}/`}${number}`;
}

function message({ message: text }: Build, { width }: ScreenOptions): string {
  const rows = cleanText(text ?? '')
    .trim()
    .split('\n')
    .flatMap((line) => wrap(line.replaceAll('\t', ' '), { width: width - 2, byWords: true }));
  return rows.join('') === '' ? '' : rowLines(rows.map((row) => `  ${row}`.trimEnd()));
}

function revision({ branch, commit }: Build, { colors, width }: ScreenOptions): string {
  const left = cleanLine(branch ?? '').trim();
  const right = cleanLine((commit ?? '').slice(0, /^[\da-f]{11,}$/i.test(commit ?? '') ? 10 : 40));
  const indented = (text: string): string[] =>
    wrap(text, { width: width - 2 }).map((row) => `  ${row}`);
  if (left === '' || right === '') {
    return left + right === '' ? '' : rowLines(indented(colors.cyan(left || right)));
  }
  const full = Number.isFinite(width) ? Math.min(width, widest) : 0;
  const gap = full - 2 - widthOf(left) - widthOf(right);
  if (gap < 2 && Number.isFinite(width)) {
    return rowLines([...indented(colors.cyan(left)), ...indented(right)]);
  }
  return rowLines([`  ${colors.cyan(left)}${' '.repeat(Math.max(2, gap))}${right}`]);
}

/** In columns. On a wider screen, text at the right edge would be too far from the rest. */
const widest = 100;

function jobsOf(build: Build, { short = false }: BuildScreen) {
  const quiet = new Set(['passed', 'unblocked']);
  return short
    ? currentJobs(build).filter(({ state }) => !quiet.has(state ?? ''))
    : shownJobs(build);
}

function counts(build: Build, { annotations, width }: BuildScreen): string {
  const total = currentJobs(build).length;
  const words = countedClasses(countJobs(build)).join(' · ');
  const jobs = total === 0 ? '' : `${total} ${total === 1 ? 'job' : 'jobs'}: ${words}`;
  const notes = annotationWords(annotations ?? []);
  const whole = joined([jobs, notes], '    ');
  if (whole === '') return '';
  if (widthOf(whole) <= width) return rowLines([whole]);
  return rowLines([jobs, notes].flatMap((part) => wrap(part, { width, indent: 2, byWords: true })));
}

/** URLs and commands never wrap, so that they can be copied. */
function addresses({ web_url: url }: Build, { next, width, colors }: BuildScreen): string {
  const address = cleanLine(url ?? '');
  const command = next === undefined ? '' : `${colors.bold('next:')} ${next}`;
  const isTight = widthOf(address) + widthOf(command) + 4 > width;
  const parts = [address, command];
  return rowLines(isTight ? parts : [joined(parts, '    ')]);
}
