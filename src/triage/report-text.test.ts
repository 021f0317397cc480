import { expect, test } from 'vitest';
import { plain } from '../render/colors.ts';
import { failed, sampleReport, type Sample } from '../../test/support/units/failures.ts';
import { reportText } from './report-text.ts';

const text = (sample: Sample, width = 80): string =>
  reportText(sampleReport(sample), {
    ...{ colors: plain, width, now: 0, scope: { org: 'acme', profile: undefined } },
    build: { ...sample.build, jobs: [...(sample.jobs ?? [])] },
  });

test('shows what failed first, then the logs', () => {
  expect(
    text({
      build: { message: 'Fix it', commit: '0123456789abcdef' },
      jobs: [
        failed('test', { exit_status: 3 }),
        failed('slow', { state: 'timed_out', exit_status: -1, signal: 'SIGTERM' }),
        failed('lint', { soft_failed: true }),
        failed('old', { id: '1', retried: true, retried_in_job_id: '2', retry_type: 'automatic' }),
        { ...failed('old', { id: '2' }), state: 'passed' },
        { id: '4', type: 'waiter', state: 'waiting_failed' },
      ],
      logs: [['expected 4', '\tgot 5'], 'cannot read the log: no log', []],
      notes: [{ context: 'junit', style: 'warning', body_html: 'one\ntwo' }],
    }),
  ).toMatchInlineSnapshot(`
    "✗ web #42 failed · 2 failed, 1 soft
      Fix it · main · 0123456789

    STATE            NAME  EXIT  CAUSE
    ✗ failed         test     3  got 5
    ✗ timed out      slow    -1
    ! failed (soft)  lint     1
    Passed on a retry: old (retried once; before: failed, exit status 1)

    ✗ test  #test  exit 3
      │ expected 4
      │         got 5

    ✗ slow  #slow  timed out, signal SIGTERM
      cannot read the log: no log

    ! lint  #lint  exit 1  soft

    ! warning: annotation junit
      │ one
      │ two
    "
  `);
});

test('handles a build without failures', () => {
  expect(text({ build: { state: 'passed' }, jobs: [{ state: 'passed' }] })).toBe(
    '✓ web #42 passed · 1 passed\n  main\n',
  );
});

test('no control character reaches the terminal', () => {
  const bad = 'a\x1b]0;title\x07b\x1b[2J\x9b2Jc\u202ed\re\x08';
  const shown = text({
    build: { message: bad, branch: bad, commit: bad, cancel_reason: bad, state: bad },
    jobs: [
      failed(bad, { signal: bad, signal_reason: bad, triggered_build: { web_url: bad } }),
      failed(bad),
      { ...failed(bad), state: 'broken' },
    ],
    logs: [[bad], bad],
    notes: [{ context: bad, style: 'error', body_html: bad }],
  });
  expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
});

test.each([40, 80, 200])('the overview fits in %i columns', (width) => {
  const long = 'w'.repeat(300);
  const overview = text(
    {
      build: { message: long },
      jobs: [failed(long), failed('b'), failed('c'), failed('d')],
      logs: [[long], [], [], []],
    },
    width,
  ).split('\n\n')[1];
  const lines = overview?.split('\n') ?? [];
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
});

test('the cause omits prefixes added by runners and indentation', () => {
  const logs = [['    [junit]   3:33   error    no-undef']];
  const jobs = [failed('test'), failed('b'), failed('c'), failed('d')];
  const rows = text({ jobs, logs: [...logs, [], [], []] }).split('\n');
  expect(rows).toContain('✗ failed  test     1  3:33 error no-undef');
  expect(rows).toContain('  │     [junit]   3:33   error    no-undef');
});

const steps = [
  { id: '1', type: 'script', name: 'unit', step_key: 'unit', state: 'passed' },
  { id: '2', type: 'manual', label: 'Release to production?', step_key: 'gate', state: 'blocked' },
];

test('a blocked build shows where it is blocked and how to continue', () => {
  expect(text({ build: { state: 'passed', blocked: true }, jobs: steps })).toBe(
    '■ web #42 blocked · 1 blocked\n  main\n' +
      '■ blocked at "Release to production?" → cictl job unblock web/42#gate\n',
  );
});

test('names the jobs that never ran, with their number', () => {
  const jobs = [failed('test'), { ...failed('Image'), state: 'broken', started_at: null }];
  expect(text({ jobs, logs: [[]] })).toMatch(/^✗ web #42 failed · 1 failed, 1 not run \(Image\)\n/);
});

const canceled = (name: string) => ({ ...failed(name), state: 'canceled' });

test.each([
  ['after a failure', 'failed', '1 failed, 2 canceled (Image, Deploy), 1 not run (Docs)'],
  ['with the build', 'canceled', '1 failed, 2 canceled (Image, Deploy), 1 not run (Docs)'],
])('names the jobs that were canceled %s', (_, state, words) => {
  const notRun = { ...failed('Docs'), state: 'broken', started_at: null };
  const jobs = [failed('test'), canceled('Image'), canceled('Deploy'), notRun];
  expect(text({ build: { state }, jobs, logs: [[]] })).toContain(` · ${words}\n`);
});

test('names a canceled job only once if it is shown as a failure', () => {
  const shown = text({ jobs: [canceled('test')], logs: [[]] });
  expect(shown).toMatch(/^✗ web #42 failed · 1 canceled\n/);
  expect(shown).toContain('test  #test  canceled');
});

test('wraps a long line with an indent', () => {
  const rows = text({ jobs: [failed('a')], logs: [['error: ' + 'x'.repeat(60)]] }, 40).split('\n');
  expect(rows).toContain(`  │ error: ${'x'.repeat(29)}`);
  expect(rows).toContain(`  │   ${'x'.repeat(31)}`);
});

test.each([
  [[{}], 'retried once, failed both times'],
  [[{}, {}], 'retried twice, failed all 3 times'],
  [[{}, {}, {}], 'retried 3 times, failed all 4 times'],
  [[{ exit_status: 2 }], 'retried once, before: exit 2'],
])('for %j, shows the number of attempts', (earlier, words) => {
  const jobs = [...earlier.map((more, at) => attempt(at, more)), attempt(earlier.length, {})];
  expect(text({ jobs, logs: [[]] })).toContain(`✗ test  #test  exit 1  ${words}\n`);

  function attempt(at: number, more: object) {
    const isRetried = at < earlier.length;
    const links = isRetried ? { retried: true, retried_in_job_id: String(at + 1) } : {};
    return failed('test', { id: String(at), ...links, ...more });
  }
});

test('names the command that prints omitted lines', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const shown = text({ jobs: [failed('test')], logs: [lines], limits: { lines: 5 } });
  expect(shown).toMatch(/^ {2}⋮ \d+ earlier lines: cictl job log web\/42#test$/m);
  expect(shown).not.toContain('[truncated');
});

const shards = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    failed(`Test ${at + 1}/${count}`, { id: `id-${at + 1}`, step_key: 'test' }),
  );

test('shows a cause of many jobs once', () => {
  const jobs = [...shards(50), failed('lint')];
  const logs = jobs.map(({ name }, at) =>
    name === 'lint'
      ? ['Error: no config']
      : ['● checkout › adds VAT', 'Expected: 119', `Received: ${at}`],
  );
  expect(text({ jobs, logs })).toMatchInlineSnapshot(`
    "✗ web #42 failed · 51 failed
      main

    ✗ 50 × checkout › adds VAT  Test 1/50 … 50/50  exit 1
      │ ● checkout › adds VAT
      │ Expected: 119
      │ Received: 0

    ✗ lint  #lint  exit 1
      │ Error: no config
    "
  `);
});

test('lists all jobs of a cause on request', () => {
  const jobs = shards(10);
  const shown = reportText(sampleReport({ jobs, logs: jobs.map(() => ['Error: no network']) }), {
    ...{ colors: plain, width: 80, now: 0, scope: { org: 'acme', profile: undefined } },
    ...{ build: { jobs }, listsJobs: true },
  });
  expect(shown).toContain(
    '✗ 10 × Error: no network  Test 1/10 … 10/10  exit 1\n  Test 1/10   id-1\n  Test 2/10   id-2\n',
  );
  expect(shown).toContain('  Test 10/10  id-10\n  │ Error: no network\n');
});

test.each([80, 160])('shows 12 causes of 200 jobs on 40 rows of %d columns', (width) => {
  const jobs = shards(200);
  const logs = jobs.map((_, at) => [
    ...Array.from({ length: 40 }, (__, line) => `line ${line}`),
    `Error: service ${'abcdefghijkl'.charAt(at % 12)} is missing`,
    ...Array.from({ length: 40 }, (__, line) => `  more ${line}`),
  ]);
  const rows = text({ jobs, logs }, width).split('\n').slice(0, -1);
  expect(rows.length).toBeLessThan(40);
  expect(rows.filter((row) => /^✗ failed +1[67] × /.test(row))).toHaveLength(12);
  expect(rows.filter((row) => /^✗ 17 × Error: service/.test(row)).length).toBeGreaterThan(1);
  const more = /^⋮ lines of \d+ more causes: cictl builds failures web\/42 --lines 20$/;
  expect(rows.filter((row) => more.test(row))).toHaveLength(1);
});

test('keeps the colors of the log', () => {
  const report = sampleReport({ jobs: [failed('test')], logs: [['got 5']] });
  const shown = reportText(report, {
    ...{ colors: plain, width: 80, now: 0, scope: { org: 'acme', profile: undefined } },
    ...{ build: {}, paint: (_, line) => `\x1b[31m${line}\x1b[0m` },
  });
  expect(shown).toContain('  │ \x1b[31mgot 5\x1b[0m\n');
});

test('shows all lines that fit if there is no width limit', () => {
  const shown = text({ jobs: [failed('test')], logs: [['begin', 'error: no', 'over']] }, Infinity);
  expect(shown).toMatch(/│ begin\n {2}│ error: no\n {2}│ over\n/);
  expect(shown).not.toContain('⋮');
});

test.each([
  [59, '  Round prices in the checkout · feature/taxes · 0123456789'],
  [58, '  Round prices in the checko… · feature/taxes · 0123456789'],
  [48, '  Round prices in… · feature/taxes · 0123456789'],
  [36, '  Round pri… · …e/taxes · 0123456789'],
])('truncates the message before branch and commit in %d columns', (width, row) => {
  const message = '\n  Round prices in the checkout\n\nWith tests.';
  const build = { state: 'passed', message, branch: 'feature/taxes', commit: '0123456789abcdef' };
  expect(text({ build, jobs: [{ state: 'passed' }] }, width)).toContain(`\n${row}\n`);
});
