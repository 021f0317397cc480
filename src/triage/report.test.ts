import { expect, test } from 'vitest';
import { failed, sampleReport } from './samples.ts';

test('says of a failure all that is known, and null where nothing is', () => {
  const { failures, truncated } = sampleReport({
    jobs: [failed('test', { exit_status: -1, signal: 'SIGTERM', signal_reason: 'agent_stop' })],
    logs: [['one', 'two', '']],
  });
  expect(failures).toEqual([
    {
      id: 'id-of-test',
      name: 'test',
      step_key: 'test',
      type: 'script',
      state: 'failed',
      soft_failed: false,
      exit_status: -1,
      signal: 'SIGTERM',
      signal_reason: 'agent_stop',
      started_at: null,
      finished_at: null,
      web_url: null,
      triggered_build: null,
      retries: [],
      section: null,
      lines: ['one', 'two', ''],
      cause: [1, 0],
      last_line: 'two',
      omitted_lines: 0,
      log_command: 'cictl job log acme/web/42#test',
      truncated: false,
      fault: null,
    },
  ]);
  expect(truncated).toBe(false);
});

test('the build is named as it was reached, and blocked comes before its state', () => {
  const { build } = sampleReport({ build: { state: 'passed', blocked: true } });
  expect(build).toMatchObject({
    organization: 'acme',
    pipeline: 'web',
    number: 42,
    state: 'blocked',
    blocked: true,
  });
});

test('an error stands in its place', () => {
  const { failures, annotations_fault } = sampleReport({
    jobs: [failed('a'), failed('b')],
    logs: ['cannot read the log', ['fine']],
    notes: 'cannot list',
  });
  expect(failures.map(({ fault: error, lines }) => [error, lines])).toEqual([
    ['cannot read the log', []],
    [null, ['fine']],
  ]);
  expect(annotations_fault).toBe('cannot list');
});

test.each([
  [['The last of all', '🚨 Error: The command exited with status 3'], 'The last of all'],
  [['The last of all', '', 'user command error: exit status 3'], 'The last of all'],
  [['The command exited with status 3, they said'], 'The command exited with status 3, they said'],
  [[' ', ''], null],
])('the last line of %j that says something is %j', (lines, last) => {
  const { failures } = sampleReport({ jobs: [failed('a')], logs: [lines] });
  expect(failures[0]?.last_line).toBe(last);
});

test('lines, jobs and the whole have their limits, and every cut is marked', () => {
  const { failures, omitted, truncated } = sampleReport({
    jobs: ['long', 'many', 'third'].map((name) => failed(name)),
    logs: [['x'.repeat(100)], Array.from({ length: 100 }, (_, at) => `line ${at}`)],
    limits: { maxLineBytes: 40, maxJobBytes: 60 },
  });
  const [long, many] = failures;
  expect(long?.lines).toEqual([`${'x'.repeat(25)}… [truncated]`]);
  expect(long).toMatchObject({ truncated: true, omitted_lines: 0 });
  expect(many?.lines.at(-1)).toBe('line 99');
  expect(many?.lines).toHaveLength(7);
  expect(many).toMatchObject({ truncated: true, omitted_lines: 93 });
  expect([omitted.failures, truncated]).toEqual([1, true]);
});

test('a loud job does not take the place of a quiet one, nor of an annotation', () => {
  const loud = Array.from({ length: 1000 }, () => 'noise');
  const { failures, annotations } = sampleReport({
    jobs: [failed('loud'), failed('quiet')],
    logs: [loud, ['the one line that matters']],
    notes: [{ context: 'c', style: 'error', body_html: 'remember' }],
    limits: { maxBytes: 200 },
  });
  expect(failures[1]).toMatchObject({ lines: ['the one line that matters'], truncated: false });
  expect(annotations).toEqual([
    { context: 'c', style: 'error', text: 'remember', truncated: false },
  ]);
  const bytes = failures.flatMap(({ lines }) => lines).join('\n').length + 'remember'.length;
  expect(bytes).toBeLessThanOrEqual(200);
  expect(failures[0]?.lines.length).toBeGreaterThan(20);
});

test('names and messages are bounded as well', () => {
  const { build, failures } = sampleReport({
    build: { message: 'm'.repeat(9000) },
    jobs: [failed('n'.repeat(9000))],
  });
  expect([build.message?.length, failures[0]?.name.length]).toEqual([4094, 4094]);
});

test('hundreds that followed are counted, and a hundred listed', () => {
  const jobs = Array.from({ length: 250 }, (_, at) => ({ id: `${at}`, state: 'broken' }));
  const { followed, omitted, counts, truncated } = sampleReport({ jobs });
  expect([followed.length, omitted.followed, counts.followed, truncated]).toEqual([
    100,
    150,
    250,
    true,
  ]);
});
