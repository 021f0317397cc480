/** Groups the failed jobs of a build by cause, so that each cause is shown once. */
import type { Execution, Job } from '../api/resources/job.ts';
import { instant } from '../render/time.ts';
import { jobTitleLine } from '../watch/job-title.ts';
import { strongestLine, type Excerpt } from './excerpt.ts';
import { withoutPrefixes } from './prefixes.ts';
import { signOf } from './signs.ts';
import { joined } from './words.ts';

/** What a failed job and its log say about the cause. */
export interface Clue {
  /** Equal for failures with the same cause, also in other builds */
  readonly signature: string;
  /** The test or the line without the parts that change; otherwise the step, or how it ended */
  readonly title: string;
}

export interface Cause extends Clue {
  /** Indexes of the failures: first those that failed the build, each group by time */
  readonly members: readonly number[];
}

/** Groups failures by their clues. Causes of more jobs come first, soft failures last. */
export function causesOf(failures: readonly Execution[], clues: readonly Clue[]): Cause[] {
  const isSoft = (at: number): boolean => failures[at]?.job.soft_failed === true;
  const end = (at: number): number => instant(failures[at]?.job.finished_at ?? '') ?? 0;
  const order = [...clues.keys()].sort(
    (a, b) => Number(isSoft(a)) - Number(isSoft(b)) || end(a) - end(b) || a - b,
  );
  const groups = new Map<string, Clue & { members: number[] }>();
  for (const at of order) {
    const clue = clues[at] ?? { signature: '', title: '' };
    const group = groups.get(clue.signature) ?? { ...clue, members: [] };
    groups.set(clue.signature, group);
    group.members.push(at);
  }
  const weight = ({ members }: Cause): number => members.filter((at) => !isSoft(at)).length;
  return [...groups.values()].sort((a, b) => weight(b) - weight(a));
}

/** A line that only says that something failed stands for no other step than its own. */
export function clueOf(job: Job, excerpt: Excerpt): Clue {
  const strongest = strongestLine(excerpt);
  const texts = withoutPrefixes(excerpt.lines.map(({ text }) => text));
  const near = [...excerpt.lines.entries()]
    .filter(([, { place }]) => Math.abs(place - (strongest?.place ?? 0)) <= reach)
    .map(([at, { place }]) => ({ place, text: texts[at]?.text ?? '' }));
  const at = near.findIndex(({ place }) => place === strongest?.place);
  const line = near[at]?.text.trim() ?? '';
  const words = withoutVariables(line).slice(0, longest);
  const above = near
    .slice(0, Math.max(0, at))
    .map(({ text }) => text)
    .reverse();
  const below = near.slice(at + 1).map(({ text }) => text);
  const [tool = '', test = ''] = testIn([line, ...above, ...below]);
  if (test !== '' || signOf(line, false) >= clear) {
    const file = test === '' ? fileOf(line, above, below) : '';
    return { signature: joined([tool, test, file, words], ' | '), title: test || words };
  }
  const { state, exit_status: status, signal, signal_reason: reason } = job;
  const exit = typeof status === 'number' ? `exit ${status}` : '';
  const ending = joined(
    [state?.replaceAll('_', ' ') ?? '', exit, signal ?? '', reason ?? ''],
    ', ',
  );
  if (words === '' && isFromOutside(job)) return { signature: ending, title: ending };
  const title = jobTitleLine(job)
    .slice(0, longest)
    .replace(/[ (]*\b\d+\/\d+\b\)?/, '');
  const step = job.step_key || job.command?.trim() || title;
  return {
    signature: joined([withoutIds(step.slice(0, longest)), ending, words], ' | '),
    title: joined([title, words], ': '),
  };
}

/** From 50, a sign says what is wrong. Below, it only says that something failed. */
const clear = 50;
/** In characters. */
const longest = 200;
/** In lines. */
const reach = 40;

/** Whether the agent, a limit or a signal stopped the job, or kept it from starting. */
const isFromOutside = ({ type, exit_status: status, signal }: Job): boolean =>
  (type ?? 'script') === 'script' &&
  (typeof status !== 'number' || status < 0 || status > 128 || Boolean(signal));

function testIn(lines: readonly string[]): readonly string[] {
  for (const line of lines) {
    for (const [tool, pattern] of tests) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) return [tool, withoutIds(name.replace(took, '').trim())];
    }
  }
  return [];
}

/** Lines that name a failed test. Several tools use the last two forms. */
const tests: readonly (readonly [tool: string, pattern: RegExp])[] = [
  ['jest', /^\s*● (?!Console$|Test suite failed to run)(\S.*)$/],
  ['vitest', /^\s*(?:FAIL|❯|×)\s+(\S+\.\w+ > .+)$/],
  ['pytest', /^(?:FAILED|ERROR) (\S+::[^\s-]\S*)/],
  ['pytest', /^(\S+::\S+) (?:FAILED|ERROR)\b/],
  ['pytest', /^_{3,} (?:ERROR at \w+ of )?(\S.*?) _{3,}$/],
  ['go', /^\s*--- FAIL: (\S+)/],
  ['cargo', /^thread '(?!main')([^']+)' .*panicked\b/],
  ['cargo', /^(?:test|----) (\S+) (?:\.\.\. FAILED|stdout ----)$/],
  ['gtest', /^\[\s*FAILED\s*\] (\w+[./][\w./]+)/],
  ['tap', /^\s*not ok \d+ (?:- )?(\S.*)$/],
  ['unittest', /^(?:FAIL|ERROR): (\w+ \(\S+\))/],
  ['minitest', /^(\w+(?:::\w+)*#\w+) \[/],
  ['gradle', /^(\S+ > \S.*) FAILED$/],
  ['maven', /^(?:\[ERROR\]\s+)?(\S+) .*<<< (?:FAILURE|ERROR)!/],
  ['dotnet', /^\s*Failed (\S+) \[/],
  ['ctest', /^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT)/],
  ['bazel', /^(\/\/\S+)\s+(?:FAILED|TIMEOUT)/],
  ['', /^\s*[✕✖✘✗×❌⨯𐄂]\s*(?![[(]?\w+[\])]? )(\S.*)$/],
  ['', /^\s*\d+\) (\S.*?):?$/],
];

/** What tools print after the name of a test: how long it took, or a rule across the screen. */
const took = /\s*[([]?\b\d+(?:[.,]\d+)? ?m?s[)\]]?\s*$|\s*─+$/;

/** The file that an error is in: in its line, in a list of files above, or in a line below. */
function fileOf(line: string, above: readonly string[], below: readonly string[]): string {
  const find = (pattern: RegExp, lines: readonly string[]): string | undefined =>
    lines.map((text) => pattern.exec(text)?.[1]).find((file) => file !== undefined);
  const isListed = /^\s*\d+:\d+\s/.test(line);
  const file =
    find(/([^\s'"()=[\]]+\.[a-z]\w{0,5})(?=:\d|\(\d)/i, [line]) ??
    (isListed ? find(/^(\S*[/\\]?\S+\.\w+)$/, above) : undefined) ??
    find(/^\s*(?:-->|on|In|at) (\S+?\.\w+)(?::\d+(?::\d+)?$| line \d+)/, below.slice(0, 4));
  return withoutIds(file ?? '');
}

/** Replaces what differs between jobs and runs that fail for the same reason. */
function withoutVariables(text: string): string {
  const known = withoutIds(text).replace(durations, '…');
  return known
    .replace(/\d+(?:[.,_]\d+)*/g, (number: string, at: number) =>
      isCode.test(known.slice(Math.max(0, at - 20), at)) ? number : '…',
    )
    .replace(/[-+]?…(?:[.:,/ x-]*…)+/g, '…');
}

const durations = /\b\d+(?:\.\d+)? ?(?:[nµu]?s|ms|m|h|sec(?:ond)?s?|min(?:ute)?s?|hours?)\b/g;

/** Whether a number is part of an error code (`TS2345`, `CVE-2024-1`), or a status. */
const isCode = /(?:[A-Z]|[A-Z]{2,}-|CVE-\d{4}-|\b(?:status|exit|code|HTTP)(?: code)?[ :=]+)$/;

const withoutIds = (text: string): string =>
  ids.reduce((rest, [pattern, to]) => rest.replace(pattern, to), text);

const ids: readonly (readonly [pattern: RegExp, to: string])[] = [
  // Temporary paths, except for the name of a file, then the start of other absolute paths.
  [
    /(?<![\w.:/])(?:[A-Z]:|\/private)?[/\\](?:[\w.-]+[/\\])*(?:te?mp|folders)[/\\](?:[\w.@+~-]+[/\\])*(?:(?![\w.-]*\.[a-z]{1,5}\b)[\w.-]+)?/gi,
    '…/',
  ],
  [/(?<![\w.:/…])(?:[A-Z]:)?[/\\](?:[\w.@+~-]+[/\\])+(?=[\w.@+~-]+[/\\][\w.@+~-]+)/gi, '…/'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '…'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '…'],
  // The names of pods and of similar processes: `web-7f9c6d5b8-x2x4q`.
  [/(?<=\w-)(?=[a-z]*\d)[a-z\d]{5,10}-[a-z\d]{5}\b/g, '…'],
  [/\b0x[\da-f]+\b|\b(?=[a-f]*\d)[\da-f]{7,64}\b/gi, '…'],
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16,}\b/gi, '…'],
];
