import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { CannedResponse, Exchange } from '../../test/support/server.ts';
import { surroundings } from '../../test/support/references.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Build } from '../api/resources/build.ts';
import type { Clock } from '../common/clock.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { createSecrets } from '../terminal/secrets.ts';
import { createOutput } from '../render/output.ts';
import { memoryStream } from '../../test/support/units/output-context.ts';
import type { Target } from './target.ts';
import { watchBuilds, type WatchOptions, endLine, goesOn } from './watch-builds.ts';

const base = '/v2/organizations/acme/pipelines/web/builds';
const build = (number: number): Target => ({ ref: { org: 'acme', pipeline: 'web', number } });
const exchange = (response: CannedResponse, number = 7): Exchange => ({
  path: `${base}/${number}`,
  answer: response,
});
const seen = (state: string, rest: Build = {}): CannedResponse => ({
  json: { number: 7, state, ...rest },
});
const job = (state: string, rest: object = {}) => ({ id: 'j', name: 'unit', state, ...rest });
const failing: CannedResponse = { status: 503 };
const reset: CannedResponse = { fault: 'reset' };
const threeTimes = <T>(item: T): T[] => [item, item, item];

interface Way {
  readonly options?: WatchOptions;
  readonly targets?: readonly Target[];
  readonly screen?: { readonly width: number; readonly height: number };
  readonly json?: boolean;
  readonly signal?: AbortSignal;
  /** Called before each pause between two polls. */
  readonly atPause?: () => void;
}

/** Watches build 7 of acme/web with exactly these requests, on the test's clock. */
async function watched(exchanges: readonly Exchange[], way: Way = {}) {
  const around = await surroundings({ exchanges });
  const clock = pausing(virtualClock(), way.atPause);
  const stream = memoryStream(way.screen);
  const settings = way.json === true ? { output: 'json' as const } : {};
  const { messages } = around;
  const out = await createOutput({ settings, stream, color: false, clock, messages });
  const never = (): Promise<never> => Promise.reject(new Error('not asked for'));
  const signal = way.signal ?? new AbortController().signal;
  const context: Context = {
    ...around,
    ...{ env: {}, clock, out, signal, urgent: signal, connect: never },
    stdin: { isTerminal: false, read: never },
    ...{ openStdin: () => Readable.from([]), version: '0.0.0', run: never },
    secrets: createSecrets(),
  };
  const exit: unknown = await watchBuilds(
    way.targets ?? [build(7)],
    way.options ?? {},
    context,
  ).catch((error: unknown) => error);
  return {
    exit,
    text: stream.text(),
    notes: around.notes,
    bells: around.bells(),
    seconds: clock.now() / 1000,
  };
}

function pausing(clock: Clock, atPause = (): void => undefined): Clock {
  return {
    now: () => clock.now(),
    sleep: (ms, signal) => {
      atPause();
      return clock.sleep(ms, signal);
    },
  };
}

/** The lines of piped output, without times. */
const lines = (text: string): string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/^[^\t]*\t/, ''));

test('prints one line per change', async () => {
  const { exit, text, notes } = await watched([
    exchange(seen('scheduled', { jobs: [job('scheduled')] })),
    exchange(seen('running', { jobs: [job('running')] })),
    exchange(seen('running', { jobs: [job('running')] })),
    exchange(seen('passed', { jobs: [job('passed')] })),
  ]);
  expect(exit).toBe(0);
  expect(lines(text)).toEqual([
    ...['build\t7\tscheduled\t', 'job\tunit\tscheduled\t'],
    ...['build\t7\trunning\t', 'job\tunit\trunning\t'],
    ...['job\tunit\tpassed\t', 'build\t7\tpassed\t'],
  ]);
  expect(notes).toEqual([]);
});

test('shows an unknown state and continues', async () => {
  const { exit, text, notes } = await watched([
    exchange(seen('pondering', { jobs: [job('dreaming')] })),
    exchange(seen('failed', { jobs: [job('failed', { exit_status: 2 })] })),
  ]);
  expect(exit).toBe(1);
  expect(lines(text).slice(0, 2)).toEqual(['build\t7\tpondering\t', 'job\tunit\tdreaming\t']);
  expect(notes).toEqual(['✗ web #7 failed: unit (exit 2) → cictl builds failures web/7']);
});

test('watches a blocked build while its jobs run', async () => {
  const blocked = { blocked: true };
  const gate = { id: 'gate', type: 'manual', label: 'Deploy?', state: 'blocked' };
  const { exit, text, notes } = await watched([
    exchange(seen('running', { ...blocked, jobs: [job('running'), gate] })),
    exchange(seen('passed', { ...blocked, jobs: [job('passed'), gate] })),
  ]);
  expect(exit).toBe(4);
  expect(lines(text)[0]).toBe('build\t7\tblocked\t');
  expect(notes).toEqual(['■ web #7 is blocked at "Deploy?" → cictl job unblock web/7#gate']);
});

test.each<[WatchOptions, CannedResponse, number]>([
  [{ allowBlocked: true }, seen('passed', { blocked: true }), 0],
  [{ allowBlocked: true }, seen('failed', { blocked: true }), 1],
  [{ allowSkipped: true }, seen('skipped'), 0],
  [{}, seen('not_run'), 5],
  [{}, seen('canceled'), 3],
])('with %j, %j exits with %i', async (options, response, code) => {
  expect((await watched([exchange(response)], { options })).exit).toBe(code);
});

test('survives an outage, reported at its start and end', async () => {
  const { exit, notes, seconds } = await watched([
    exchange(seen('running')),
    ...threeTimes(exchange(reset)),
    ...threeTimes(exchange(failing)),
    exchange(seen('passed')),
  ]);
  expect(exit).toBe(0);
  expect(notes).toEqual([
    expect.stringMatching(/^cannot view build acme\/web\/7: .*; retrying in 1\.0 s$/),
    'the service is reachable again',
  ]);
  expect(seconds).toBe(1 + 1 + 1.5);
});

test('an outage longer than allowed exits with 9', async () => {
  const { exit, seconds } = await watched(
    [exchange(seen('running')), ...threeTimes(exchange(failing)), ...threeTimes(exchange(failing))],
    { options: { maxOutage: 500 } },
  );
  expect(exit).toMatchObject({ kind: 'service_failed', status: 503 });
  expect(seconds).toBe(1.5);
});

test.each([
  [{}, { kind: 'unreachable' }],
  [{ wasReached: true }, 0],
])('handles a first request that fails, with %j', async (options, end) => {
  const requests = threeTimes(exchange(reset));
  const after = 'wasReached' in options ? [exchange(seen('passed'))] : [];
  const { exit } = await watched([...requests, ...after], { options });
  if (typeof end === 'number') expect(exit).toBe(end);
  else expect(exit).toMatchObject(end);
});

test('waits as long as a rate limit requires, and reports it', async () => {
  const limited: CannedResponse = { status: 429, json: {}, headers: { 'RateLimit-Reset': '600' } };
  const { exit, notes, seconds } = await watched([
    exchange(seen('running')),
    exchange(limited),
    exchange(seen('passed')),
  ]);
  expect(exit).toBe(0);
  expect(notes[0]).toMatch(/rate limit exceeded.*retrying in 600\.0 s/);
  expect(seconds).toBe(601);
});

test('--fail-fast stops once the build is bound to fail, and says that it is still running', async () => {
  const jobs = [job('failed'), job('running', { id: 'k', name: 'slow' })];
  const { exit, notes } = await watched(
    [exchange(seen('running', { jobs: [job('running')] })), exchange(seen('running', { jobs }))],
    { options: { failFast: true } },
  );
  expect(exit).toBe(1);
  expect(notes).toEqual([
    '✗ web #7 is failing: unit; it is still running → cictl builds failures web/7',
  ]);
});

test('--fail-fast ignores a soft failure', async () => {
  const jobs = [job('failed', { soft_failed: true })];
  const { exit } = await watched(
    [exchange(seen('running', { jobs })), exchange(seen('passed', { jobs }))],
    {
      options: { failFast: true },
    },
  );
  expect(exit).toBe(0);
});

test('waits until the commit has a build', async () => {
  const commit = 'c'.repeat(40);
  const list = (json: unknown): Exchange => ({
    path: `${base}?per_page=1&commit=${commit}`,
    answer: { json },
  });
  const { exit, notes, text, seconds } = await watched(
    [list([]), list([]), list([{ number: 7 }]), exchange(seen('passed'))],
    { targets: [{ pipeline: { org: 'acme', pipeline: 'web' }, commit }] },
  );
  expect(exit).toBe(0);
  expect(notes).toEqual([`waiting for a build of commit ${commit} in acme/web`]);
  expect(lines(text)).toEqual(['build\t7\tpassed\t']);
  expect(seconds).toBe(2.5);
});

test('prints JSON events, the last with the exit code', async () => {
  const web_url = 'https://ci/acme/web/7';
  const { text } = await watched(
    [
      exchange(seen('running', { web_url, blocked: false, jobs: [job('running')] })),
      exchange(
        seen('failed', { web_url, blocked: false, jobs: [job('failed', { exit_status: 2 })] }),
      ),
    ],
    { json: true },
  );
  const at = ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:01.000Z'];
  const running = { number: 7, state: 'running', blocked: false, web_url };
  const failed = { ...running, state: 'failed' };
  const unit = { id: 'j', name: 'unit' };
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { at: at[0], event: 'build', build: running },
    { at: at[0], event: 'job', build: running, job: { ...unit, state: 'running' } },
    { at: at[1], event: 'job', build: failed, job: { ...unit, state: 'failed', exit_status: 2 } },
    { at: at[1], event: 'build', build: failed },
    { at: at[1], event: 'end', build: failed, exit_code: 1 },
  ]);
});

test('prints the end of a failed log once, without control characters', async () => {
  const log = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('');
  const failed = job('failed', { id: 'j', started_at: '2026-11-20T12:00:00Z', soft_failed: true });
  const gone = job('failed', { id: 'k', name: 'gone', started_at: '2026-11-20T12:00:00Z' });
  const { text, notes } = await watched(
    [
      exchange(seen('running', { jobs: [failed, job('broken', { id: 'l' })] })),
      {
        path: `${base}/7/jobs/j/log.txt`,
        answer: { body: `${log}\x1b[31mred\x1b[0m\x1b]0;title\x07` },
      },
      exchange(seen('failed', { jobs: [failed, gone, job('broken', { id: 'l' })] })),
      {
        path: `${base}/7/jobs/k/log.txt`,
        answer: { status: 404, json: { message: 'No job found' } },
      },
    ],
    { options: { logs: true } },
  );
  const tail = text.split('\n').filter((line) => line.startsWith('unit | '));
  expect(tail).toHaveLength(20);
  expect([tail[0], tail.at(-1)]).toEqual(['unit | line 11', 'unit | red']);
  expect(notes[0]).toContain('no log for acme/web/7#k');
});

test('waits for a retried job although its build looks settled', async () => {
  const { exit } = await watched(
    [
      exchange(seen('failed', { jobs: [job('scheduled')] })),
      exchange(seen('running', { jobs: [job('running')] })),
      exchange(seen('passed', { jobs: [job('passed')] })),
    ],
    { targets: [{ ref: { org: 'acme', pipeline: 'web', number: 7 }, jobs: ['j'] }] },
  );
  expect(exit).toBe(0);
});

test('with several builds, each line names its own and the largest code wins', async () => {
  const pipeline = { slug: 'web' };
  const one = { json: { number: 7, state: 'canceled', pipeline } };
  const other = { json: { number: 8, state: 'failed', pipeline } };
  const exchanges = [
    { path: /builds\/[78]$/, answer: one },
    { path: /builds\/[78]$/, answer: other },
  ];
  const { exit, text } = await watched(exchanges, { targets: [build(7), build(8)] });
  expect(exit).toBe(3);
  expect(lines(text).sort()).toEqual(['build\tweb/7\tcanceled\t', 'build\tweb/8\tfailed\t']);
});

test('an error of one build stops watching the others', async () => {
  const { exit } = await watched(
    [
      { path: /builds\/[78]$/, answer: { fault: 'hang' } },
      { path: /builds\/[78]$/, answer: { status: 404, json: { message: 'No build found' } } },
    ],
    { targets: [build(7), build(8)] },
  );
  expect(exit).toMatchObject({ kind: 'not_found' });
});

test('an interrupt says that the build is still running and how to watch it again', async () => {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new CictlError('interrupted', 'interrupted'));
  const exchanges = [exchange(seen('running', { jobs: [job('running')] }))];
  const { exit, bells } = await watched(exchanges, {
    ...{ signal: interrupt.signal, atPause: stop },
    options: { bell: true },
  });
  expect(exit).toMatchObject({
    kind: 'interrupted',
    message: 'interrupted: the build continues; to watch it again: cictl builds watch web/7',
  });
  expect(bells).toBe(0);
});

test.each([
  [{ bell: true }, seen('passed'), 1],
  [{ bell: true }, seen('failed'), 1],
  [{ bell: true }, { status: 404 }, 1],
  [{}, seen('passed'), 0],
])('with %j and %j, the bell rings %i times', async (options, response, times) => {
  expect((await watched([exchange(response)], { options })).bells).toBe(times);
});

test('an interrupt ends the watch before the next request', async () => {
  const interrupt = new AbortController();
  interrupt.abort(new CictlError('interrupted', 'interrupted'));
  const { exit } = await watched([], { signal: interrupt.signal });
  expect(exit).toMatchObject({ kind: 'interrupted' });
});

test('the last frame stays on the terminal', async () => {
  const jobs = [job('passed'), job('failed', { id: 'k', name: 'lint', exit_status: 2 })];
  const { exit, text } = await watched(
    [exchange(seen('running', { jobs: [job('running')] })), exchange(seen('failed', { jobs }))],
    { screen: { width: 60, height: 20 } },
  );
  expect(exit).toBe(1);
  const last = text.slice(text.lastIndexOf('✗ build #7')).replace(/\x1b\[\??\d*[A-Za-z]/g, '');
  expect(last).toBe(
    [
      '✗ build #7 failed   2/2 done · 1 failed',
      '✓ passed  unit',
      `✗ failed  lint${' '.repeat(32)}exit 2\n\r`,
    ].join('\n'),
  );
});

const ref = { org: 'acme', pipeline: 'web', number: 7 };
const scope = { org: 'acme', profile: undefined };
const started_at = '2026-01-01T00:00:00Z';
const times = { started_at, finished_at: '2026-01-01T00:00:29Z' };
const jobs = [
  { id: 'a', type: 'script', state: 'blocked' },
  { id: 'b', type: 'manual', state: 'unblocked', step_key: 'twice' },
  { id: 'c', type: 'manual', label: 'Release?', state: 'blocked', step_key: 'twice' },
];
const gate = { id: 'd', type: 'manual', label: 'Deploy?', state: 'blocked', step_key: 'gate' };
const unit = { id: 'u', name: 'unit', state: 'failed', exit_status: 1 };

test.each<[string, Build, number, string]>([
  ['passed', { state: 'passed', ...times }, 0, '✓ web #7 passed in 0:29'],
  ['was canceled', { state: 'canceled', ...times }, 3, '⊘ web #7 canceled after 0:29'],
  ['did not run', { state: 'not_run' }, 5, '– web #7 not run'],
  [
    'failed',
    {
      state: 'failed',
      ...times,
      jobs: [unit, { id: 's', name: 'soft', soft_failed: true, state: 'failed' }],
    },
    1,
    '✗ web #7 failed in 0:29: unit (exit 1) → cictl builds failures web/7',
  ],
  [
    'failed with a retry, a signal, a time-out and an expired job',
    {
      state: 'failed',
      jobs: [
        { ...unit, retried: true },
        { id: '1', name: 'killed', state: 'failed', exit_status: -1, signal: 'SIGKILL' },
        { id: '2', name: 'slow', state: 'timed_out' },
        { id: '3', name: 'late', state: 'expired' },
      ],
    },
    1,
    '✗ web #7 failed: killed (signal SIGKILL), slow (timed out), late (expired) → cictl builds failures web/7',
  ],
  [
    'failed in many jobs',
    { state: 'failed', jobs: [1, 2, 3, 4, 5].map((id) => ({ ...unit, id: `${id}` })) },
    1,
    '✗ web #7 failed: unit (exit 1), unit (2) (exit 1) and 3 more → cictl builds failures web/7',
  ],
  [
    'failed in one of parallel jobs',
    {
      state: 'failed',
      jobs: [0, 1].map((index) => ({
        ...{ ...unit, id: `${index}`, state: index === 0 ? 'passed' : 'failed' },
        ...{ parallel_group_index: index, parallel_group_total: 2 },
      })),
    },
    1,
    '✗ web #7 failed: unit 2/2 (exit 1) → cictl builds failures web/7',
  ],
  [
    'failed because a job was canceled',
    { state: 'failed', jobs: [{ id: '1', name: 'Deploy', state: 'canceled' }] },
    1,
    '✗ web #7 failed: Deploy (canceled) → cictl builds failures web/7',
  ],
  [
    'failed before jobs were canceled',
    { state: 'failed', jobs: [unit, { id: '1', name: 'Deploy', state: 'canceled' }] },
    1,
    '✗ web #7 failed: unit (exit 1) → cictl builds failures web/7',
  ],
  [
    'is failing',
    { state: 'failing', started_at, jobs: [unit] },
    1,
    '✗ web #7 is failing: unit (exit 1); it is still running → cictl builds failures web/7',
  ],
  [
    'is blocked',
    { state: 'passed', blocked: true, jobs: [...jobs, gate] },
    4,
    '■ web #7 is blocked at "Release?", "Deploy?" → cictl job unblock web/7#c',
  ],
  [
    'is blocked by a step with a key',
    { state: 'passed', blocked: true, jobs: [gate, unit] },
    4,
    '■ web #7 is blocked at "Deploy?" → cictl job unblock web/7#gate',
  ],
  [
    'is blocked by nothing known',
    { blocked: true, jobs: jobs.slice(0, 2) },
    4,
    '■ web #7 is blocked at a manual step',
  ],
  ['has no jobs', { blocked: true }, 4, '■ web #7 is blocked at a manual step'],
  [
    'is hostile',
    { state: 'failed', jobs: [{ ...unit, name: 'a\x1b[2Jb' }] },
    1,
    '✗ web #7 failed: ab (exit 1) → cictl builds failures web/7',
  ],
])('after a build that %s', (_, build, exitCode, expected) => {
  expect(endLine({ ref, build, exitCode }, 0, scope)).toBe(expected);
});

test('the suggested command names what is otherwise unknown', () => {
  const result = { ref, build: { state: 'failed' }, exitCode: 1 };
  expect(endLine(result, 0, { org: undefined, profile: 'my own' })).toBe(
    "✗ web #7 failed → cictl builds failures acme/web/7 --profile 'my own'",
  );
});

test.each([
  [[ref], 'the build continues; to watch it again: cictl builds watch web/7'],
  [
    [ref, { ...ref, number: 8 }],
    'the builds continue; to watch them again: cictl builds watch web/7; cictl builds watch web/8',
  ],
])('stopping to watch %j suggests how to continue', (refs, line) => {
  expect(goesOn(refs, scope)).toBe(line);
});
