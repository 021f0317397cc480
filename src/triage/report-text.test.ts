import { expect, test } from 'vitest';
import { plain } from '../render/colors.ts';
import { failed, sampleReport, type Sample } from './samples.ts';
import { reportText } from './report-text.ts';

const text = (sample: Sample, width = 80): string =>
  reportText(sampleReport(sample), { colors: plain, width, now: 0 });

test('what failed comes first, the logs after it', () => {
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
    "✗ failed  acme/web/42  Fix it
    main  0123456789  5 jobs: 1 passed, 2 failed, 1 soft failed, 1 followed

    STATE            NAME  EXIT  CAUSE
    ✗ failed         test  3     got 5
    ✗ timed out      slow  -1
    ! failed (soft)  lint  1
    Followed: wait (waiting_failed)
    Passed on a retry: old (retried once; before: failed, exit status 1)

    ✗ test: failed, exit status 3
      │ expected 4
      │ 	got 5

    ✗ slow: timed out, exit status -1, signal SIGTERM
      cannot read the log: no log

    ✗ lint: failed, exit status 1, soft failure

    ! warning: annotation junit
      │ one
      │ two
    "
  `);
});

test('nothing failed', () => {
  expect(text({ build: { state: 'passed' }, jobs: [{ state: 'passed' }] })).toBe(
    '✓ passed  acme/web/42\nmain  1 job: 1 passed\n',
  );
});

test('no control character of a build reaches the terminal', () => {
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

test.each([40, 80, 200])('the overview fits into %i columns', (width) => {
  const long = 'w'.repeat(300);
  const overview = text(
    { build: { message: long }, jobs: [failed(long), failed('b')], logs: [[long], []] },
    width,
  ).split('\n\n')[1];
  const lines = overview?.split('\n') ?? [];
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
});

test('the cell of the cause has neither what runners put before it nor the room in it', () => {
  const logs = [['    [junit]   3:33   error    no-undef']];
  const rows = text({ jobs: [failed('test')], logs }).split('\n');
  expect(rows).toContain('✗ failed  test  1     3:33 error no-undef');
  expect(rows).toContain('  │     [junit]   3:33   error    no-undef');
});
