import { cleanLine, cleanText } from '../common/untrusted-text.ts';
import { inRanges } from './ranges.ts';
import type { CausePart, Failure, Note, Report } from './report-resource.ts';
import {
  buildWords,
  countWords,
  endingWords,
  explained,
  gapWords,
  moreWords,
  retryWords,
  triggeredWords,
  printableLine,
} from './words.ts';

/**
 * Anyone may have pushed the code, so names, messages and lines are put into code spans and fences
 * that their text cannot end.
 */
export const reportMarkdown = (report: Report, { listsJobs = false } = {}): string =>
  [
    ...headBlocks(report),
    ...explained(report).flatMap(([cause, failure]) => causeBlocks(cause, failure, listsJobs)),
    moreWords(report.omitted.causes, 'causes'),
    listBlock(
      'Not run or canceled',
      report.followed,
      report.omitted.followed,
      ({ state }) => state,
    ),
    listBlock('Passed on a retry', report.recovered, report.omitted.recovered, ({ retries }) =>
      retryWords(retries),
    ),
    ...report.annotations.flatMap(noteBlocks),
    moreWords(report.omitted.annotations, 'annotations'),
    report.annotations_fault === null ? '' : code(report.annotations_fault),
  ]
    .filter((block) => block !== '')
    .map((block) => `${block}\n`)
    .join('\n');

function headBlocks(report: Report): string[] {
  const { state, branch, commit, message, web_url: address, cancel_reason: reason } = report.build;
  const facts = [
    ['Branch', branch],
    ['Commit', commit],
    ['Message', message?.split('\n', 1)[0]],
    ['Canceled', reason],
    ['URL', address],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => `- ${name}: ${code(value ?? '')}`);
  return [
    `## Build ${code(buildWords(report))} ${code(state)}`,
    facts.join('\n'),
    `${countWords(report)}.`,
  ];
}

/** The heading stays the same if the cause occurs again, so that comments can be updated. */
function causeBlocks({ title, jobs }: CausePart, failure: Failure, listsJobs: boolean): string[] {
  const { step_key: key, section, fault: error, lines, retries } = failure;
  const names = jobs.map(({ name }) => name);
  const facts = [
    jobs.length === 1 ? `- Job: ${code(names.join(''))}` : '',
    jobs.length === 1 || listsJobs ? '' : `- ${jobs.length} jobs: ${code(inRanges(names, 20))}`,
    `- Result: ${code(endingWords(failure))}`,
    key === null ? '' : `- Step: ${code(key)}`,
    section === null ? '' : `- Section: ${code(section)}`,
    retries.length === 0 ? '' : `- Retries: ${code(retryWords(retries))}`,
    failure.triggered_build === null ? '' : `- Triggered: ${code(triggeredWords(failure))}`,
    error === null ? '' : `- Log: ${code(error)}`,
    gapWords(failure) === '' ? '' : `- Excerpt: ${code(gapWords(failure))}`,
  ].filter((fact) => fact !== '');
  const list = names.map((name, at) => `- ${code(name)}: ${code(jobs[at]?.id ?? '')}`);
  return [
    `### ${code(title)}`,
    facts.join('\n'),
    jobs.length > 1 && listsJobs ? `${jobs.length} jobs:\n\n${list.join('\n')}` : '',
    fence(lines.map(printableLine).join('\n')),
  ];
}

const noteBlocks = ({ style, context, text }: Note): string[] => [
  `### Annotation ${code(context ?? '')} (${code(style)})`,
  fence(text),
];

function listBlock<T extends { readonly name: string }>(
  what: string,
  jobs: readonly T[],
  omitted: number,
  say: (job: T) => string,
): string {
  if (jobs.length === 0) return '';
  const items = jobs.map((job) => `- ${code(job.name)}: ${code(say(job))}`);
  const more = omitted === 0 ? [] : [`- ${moreWords(omitted, 'jobs')}`];
  return [`### ${what}`, '', ...items, ...more].join('\n');
}

/** A fence that is longer than any run of backticks in the text. Empty if the text is empty. */
function fence(text: string): string {
  const clean = cleanText(text);
  if (clean.trim() === '') return '';
  const marks = '`'.repeat(Math.max(3, longestRun(clean) + 1));
  return `${marks}text\n${clean}\n${marks}`;
}

/** A code span, in which mentions and links have no effect. */
function code(text: string): string {
  const clean = cleanLine(text).trim() || '-';
  const marks = '`'.repeat(longestRun(clean) + 1);
  const pad = /^`|`$/.test(clean) ? ' ' : '';
  return `${marks}${pad}${clean}${pad}${marks}`;
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((max, run) => Math.max(max, run.length), 0);
