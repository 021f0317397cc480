import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { plain } from '../render/colors.ts';
import { widthOf } from '../render/width.ts';
import { buildScreen, type BuildScreen } from './build-screen.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

const ran = (name: string, state: string, seconds: number, more: Job = {}): Job => ({
  ...{ id: `id-of-${name}`, type: 'script', name, state },
  ...{ started_at: before(4000), finished_at: before(4000 - seconds) },
  ...more,
});
const unrun = (name: string, state: string, more: Job = {}): Job => ({
  ...{ id: `id-of-${name}`, type: 'script', name, state, started_at: null },
  ...more,
});

const failed: Build = {
  ...{ number: 141, state: 'failed', source: 'webhook', creator: { name: 'Ada Lovelace' } },
  message: 'Rework the checkout: prices in minor units, taxes by country\n\nWith tests.',
  branch: 'feature/JIRA-1234-a-very-long-branch-name-as-people-write-them',
  commit: '0141deadbeef0141deadbeef0141deadbeef0141',
  pull_request: { id: '1234', base: 'main' },
  ...{ started_at: before(3776), finished_at: before(3360) },
  web_url: 'http://127.0.0.1:3900/acme/web/builds/141',
  jobs: [
    ran('Upload', 'passed', 8, { step_key: 'upload', exit_status: 0 }),
    ran('Unit tests', 'failed', 95, {
      ...{ step_key: 'unit', exit_status: 1, retries_count: 1 },
      ...{ parallel_group_index: 0, parallel_group_total: 2 },
    }),
    ran('Lint the whole repository, with every rule that there is', 'failed', 45, {
      ...{ step_key: 'lint', exit_status: 2, soft_failed: true },
    }),
    unrun('', 'waiting_failed', { type: 'waiter' }),
    unrun('Image', 'broken'),
    unrun('Release to production?', 'blocked_failed', { type: 'manual' }),
    unrun('Deploy', 'waiting_failed'),
  ],
};

const screen = (build: Build, more: Partial<BuildScreen> = {}): string =>
  buildScreen(build, {
    ...{ pipeline: 'web', number: build.number ?? 0, colors: plain, width: 80, now },
    ...{ annotations: [], next: undefined },
    ...more,
  });

test('shows the outcome of a build, its jobs and the next command', () => {
  const annotations = [{ style: 'error' }, { style: 'warning' }, { style: 'warning' }];
  const next = 'cictl builds failures web/141';
  expect(screen(failed, { annotations, next })).toMatchInlineSnapshot(`
    "✗ web #141 failed in 6m56s, 56m ago · Ada Lovelace · webhook · PR 1234
      Rework the checkout: prices in minor units, taxes by country
      With tests.
      feature/JIRA-1234-a-very-long-branch-name-as-people-write-them      0141deadbe
      STATE          NAME                                        KEY     EXIT   TOOK
    ✓ passed         Upload                                      upload     0     8s
    ✗ failed         Unit tests 1/2 (retried once)               unit       1  1m35s
    ! failed (soft)  Lint the whole repository, with every rul…  lint       2    45s
    – not run        Image, Release to production?, Deploy
    6 jobs: 1 passed · 1 failed · 1 soft · 3 not run
    annotations: 1 error, 2 warnings
    http://127.0.0.1:3900/acme/web/builds/141    next: cictl builds failures web/141
    "
  `);
});

test('wraps a message that is wider than the terminal without its indentation', () => {
  const text = `${'x'.repeat(38)} ${'y'.repeat(39)}`;
  expect(screen({ ...failed, message: text }, { width: 80 })).toContain(`\n  ${text}\n`);
  expect(screen({ ...failed, message: `${text}z` }, { width: 80 })).toContain(
    `\n  ${'x'.repeat(38)}\n  ${'y'.repeat(39)}z\n`,
  );
});

test.each([
  [{ commit: null }, '\n  feature/tax\n'],
  [{ branch: null }, '\n  0141deadbe\n'],
])('shows the branch or the commit without the other: %j', (missing, row) => {
  expect(screen({ ...failed, branch: 'feature/tax', ...missing })).toContain(row);
});

test('is as wide as the terminal', () => {
  expect(screen(failed, { width: 160 })).toMatchInlineSnapshot(`
    "✗ web #141 failed in 6m56s, 56m ago · Ada Lovelace · webhook · PR 1234
      Rework the checkout: prices in minor units, taxes by country
      With tests.
      feature/JIRA-1234-a-very-long-branch-name-as-people-write-them                          0141deadbe
      STATE          NAME                                                      KEY     EXIT   TOOK
    ✓ passed         Upload                                                    upload     0     8s
    ✗ failed         Unit tests 1/2 (retried once)                             unit       1  1m35s
    ! failed (soft)  Lint the whole repository, with every rule that there is  lint       2    45s
    – not run        Image, Release to production?, Deploy
    6 jobs: 1 passed · 1 failed · 1 soft · 3 not run
    http://127.0.0.1:3900/acme/web/builds/141
    "
  `);
});

test('in 40 columns, keeps names and states', () => {
  expect(screen(failed, { width: 40 })).toMatchInlineSnapshot(`
    "✗ web #141 failed in 6m56s, 56m ago ·
      Ada Lovelace · webhook · PR 1234
      Rework the checkout: prices in minor
      units, taxes by country
      With tests.
      feature/JIRA-1234-a-very-long-branch-n
      ame-as-people-write-them
      0141deadbe
      STATE          NAME              TOOK
    ✓ passed         Upload              8s
    ✗ failed         Unit tests 1/2   1m35s
    ! failed (soft)  Lint the whole…    45s
    – not run        Image, Release to
                     production?, Deploy
    6 jobs: 1 passed · 1 failed · 1 soft · 3
      not run
    http://127.0.0.1:3900/acme/web/builds/141
    "
  `);
});

test('never exceeds its width except for text to be copied', () => {
  for (const width of [40, 80, 160]) {
    const rows = screen({ ...failed, web_url: null }, { width }).split('\n');
    for (const row of rows) expect(widthOf(row), row).toBeLessThanOrEqual(width);
  }
});
