/** Whether the first screen shows why real tools failed. */
import { expect, test } from 'vitest';
import { causes, failingLog, shapes } from '../../test/support/failing-log.ts';
import { plain } from '../render/colors.ts';
import { widthOf } from '../render/width.ts';
import { excerptOf } from './excerpt.ts';
import { defaultLimits } from './limits.ts';
import { makeReport, sortJobs } from './report.ts';
import { reportMarkdown } from './markdown.ts';
import { reportText } from './report-text.ts';
import type { Report } from './report-resource.ts';
import { readTail } from './tail.ts';
import { sample } from '../../test/support/full.ts';

const all = Object.keys(causes);
const names = sample(all, 4);
const logs = names.flatMap((name) =>
  shapes.map((shape) => ({ name, shape, report: reportOn(failingLog(name, shape)) })),
);

/** A report of a build with one failed job and another one that did not run because of it. */
function reportOn(log: Uint8Array): Report {
  const build = {
    state: 'failed',
    branch: 'main',
    commit: '5e3fd1109b',
    message: 'Fix the importer',
    jobs: [
      { id: '1', name: 'Check', step_key: 'check', state: 'failed', exit_status: 1 },
      { id: '2', name: 'Deploy', step_key: 'deploy', state: 'broken' },
    ],
  };
  return makeReport(
    {
      ref: { org: 'acme', pipeline: 'web', number: 7 },
      build,
      sorted: sortJobs(build),
      logs: [{ value: excerptOf({ bytes: log, isCut: false }, defaultLimits.lines) }],
      annotations: { value: [] },
      toText: (html) => html,
    },
    defaultLimits,
  );
}

/** The complete lines on a screen; long lines wrap into several rows. */
function firstScreen(text: string, columns: number): string[] {
  let left = 24;
  const lines = text.split('\n');
  const end = lines.findIndex((line) => {
    left -= Math.max(1, Math.ceil(widthOf(line) / columns));
    return left < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

const share = (missing: readonly unknown[], all: readonly unknown[]): number =>
  1 - missing.length / all.length;

test('the corpus has enough logs, from many tools', () => {
  expect(all.length).toBeGreaterThanOrEqual(200);
  expect(new Set(Object.values(causes).map(({ tool }) => tool)).size).toBeGreaterThan(120);
});

/** Joins the rows of long lines. */
const unwrapped = (screen: readonly string[]): string =>
  withoutRoom(screen.map((line) => line.replace(/^ {2}│/, '')).join(''));

const withoutRoom = (text: string): string => text.replaceAll(/\s/g, '');

const noBuild = { build: {}, scope: { org: 'acme', profile: undefined } };

test.each(sample([80, 100, 120, 160], 4))(
  'in 24 rows and %i columns, the first screen has the cause for nearly all logs',
  (width) => {
    const missing = logs.filter(({ name, report }) => {
      const text = reportText(report, { ...noBuild, colors: plain, width, now: 0 });
      const screen = firstScreen(text, width);
      return !unwrapped(screen).includes(withoutRoom(causes[name]?.cause[0] ?? ''));
    });
    const words = missing.map(({ name, shape }) => `${name} (${shape})`).join(', ');
    expect(share(missing, logs), `misses ${words}`).toBeGreaterThanOrEqual(
      width < 100 ? 0.97 : 0.98,
    );
  },
);

test('the strongest line is a cause for 90 % of the logs', () => {
  const wrong = logs.filter(({ name, report }) => {
    const line = withoutRoom(report.failures[0]?.last_line ?? '');
    return !causes[name]?.cause.some((text) => line.includes(withoutRoom(text)));
  });
  const words = wrong.map(({ name, shape }) => `${name} (${shape})`).join(', ');
  expect(share(wrong, logs), `wrong for ${words}`).toBeGreaterThanOrEqual(0.9);
});

test('JSON and Markdown contain nearly every line that explains a failure', () => {
  const missing = logs.filter(({ name, report }) => {
    const lines = report.failures[0]?.lines ?? [];
    const markdown = reportMarkdown(report);
    return !causes[name]?.cause.every(
      (text) => lines.some((line) => line.includes(text)) && markdown.includes(text),
    );
  });
  const words = missing.map(({ name, shape }) => `${name} (${shape})`).join(', ');
  expect(share(missing, logs), `misses ${words}`).toBeGreaterThanOrEqual(0.95);
});

test('no log exceeds the limits of lines and bytes', () => {
  for (const { name, report } of logs) {
    const lines = report.failures[0]?.lines ?? [];
    expect(lines.length, name).toBeLessThanOrEqual(defaultLimits.lines);
    expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(defaultLimits.maxJobBytes);
  }
});

test.each([1, 7, 4096])('chunks of %i bytes give the same lines', async (size) => {
  const log = failingLog('vitest-assert', 'clean-up');
  async function* chunks() {
    for (let at = 0; at < log.length; at += size)
      yield await Promise.resolve(log.subarray(at, at + size));
  }
  const tail = await readTail({ status: 200, headers: {}, body: chunks() }, 1e6);
  expect(excerptOf(tail, 50)).toEqual(excerptOf({ bytes: log, isCut: false }, 50));
});
