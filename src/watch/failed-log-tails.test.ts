import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { surroundings } from '../../test/support/references.ts';
import type { CannedResponse, Exchange } from '../../test/support/server.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Job } from '../api/resources/job.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';
import { createOutput } from '../render/output.ts';
import { memoryStream, terminal } from '../render/samples.ts';
import { createSecrets } from '../terminal/secrets.ts';
import { createFailedLogTails } from './failed-log-tails.ts';

const ref = { org: 'acme', pipeline: 'web', number: 7 };
const failed: Job = {
  id: 'j',
  name: 'unit',
  state: 'failed',
  exit_status: 2,
  started_at: '2026-01-01T00:00:00Z',
};
const log = (answer: CannedResponse, id = 'j'): Exchange => ({
  path: `/v2/organizations/acme/pipelines/web/builds/7/jobs/${id}/log.txt`,
  answer,
});

interface Way {
  readonly screen?: typeof terminal;
  readonly color?: boolean;
  readonly signal?: AbortSignal;
  readonly show?: (text: string) => Promise<void>;
}

/** Reports the jobs one after the other, to a service that gets exactly these requests. */
async function shownFor(jobs: readonly Job[], exchanges: readonly Exchange[], way: Way = {}) {
  const around = await surroundings({ exchanges });
  const clock = virtualClock();
  const stream = memoryStream(way.screen);
  const { color = false, signal = new AbortController().signal } = way;
  const out = await createOutput({ ...around, settings: {}, stream, color, clock });
  const never = (): Promise<never> => Promise.reject(new Error('not asked for'));
  const context: Context = {
    ...around,
    ...{ env: {}, clock, out, signal, urgent: signal, connect: never },
    stdin: { isTerminal: false, read: never },
    ...{ openStdin: () => Readable.from([]), version: '0.0.0', run: never },
    secrets: createSecrets(),
  };
  const [shown, notes]: [string[], string[]] = [[], []];
  const view = {
    report: never,
    show: way.show ?? ((text: string) => Promise.resolve(void shown.push(text))),
    note: (text: string) => Promise.resolve(void notes.push(text)),
    close: never,
  };
  const report = createFailedLogTails(await around.client(), ref, view, context);
  for (const job of jobs) await report({ event: 'job', build: { jobs: [job] }, job });
  return { shown, notes, report };
}

test('the last twenty lines of what failed, each behind the name of its job', async () => {
  const body = Array.from({ length: 25 }, (_, index) => `line ${index}\r\n`).join('');
  const { shown, notes } = await shownFor([failed], [log({ body })]);
  const last = Array.from({ length: 20 }, (_, index) => `unit | line ${index + 5}\n`);
  expect(shown).toEqual([last.join('')]);
  expect(notes).toEqual([]);
});

test('nothing of a log that is empty', async () => {
  expect(await shownFor([failed], [log({ body: '' })])).toMatchObject({ shown: [], notes: [] });
});

test('each line with its colour, whatever was cut off before it', async () => {
  const body = `\x1b[31m${'a\n'.repeat(30)}`;
  const way = { screen: terminal, color: true };
  const { shown } = await shownFor([failed], [log({ body })], way);
  expect(shown).toEqual(['unit | \x1b[31ma\x1b[0m\n'.repeat(20)]);
});

test('the log of each job once, however often the job is reported', async () => {
  const other = { ...failed, id: 'k', name: 'lint', state: 'timed_out' };
  const { shown } = await shownFor(
    [failed, { ...failed, exit_status: 3 }, other, failed],
    [log({ body: 'a' }), log({ body: 'b' }, 'k')],
  );
  expect(shown).toEqual(['unit | a\n', 'lint | b\n']);
});

test('a failure that is allowed has its log shown too', async () => {
  const { shown } = await shownFor([{ ...failed, soft_failed: true }], [log({ body: 'a' })]);
  expect(shown).toEqual(['unit | a\n']);
});

test.each<[string, Job]>([
  ['passed', { ...failed, state: 'passed', exit_status: 0 }],
  ['still runs', { ...failed, state: 'running', exit_status: null }],
  ['was canceled', { ...failed, state: 'canceled' }],
  ['no agent has begun', { ...failed, started_at: null }],
  ['has an empty id', { ...failed, id: '' }],
  ['has no id', { ...failed, id: null }],
])('no log is asked for of a job that %s', async (_, job) => {
  expect(await shownFor([job], [])).toMatchObject({ shown: [], notes: [] });
});

test('no log is asked for when the build itself has failed', async () => {
  const { report, shown } = await shownFor([], []);
  await report({ event: 'build', build: { state: 'failed', jobs: [failed] } });
  expect(shown).toEqual([]);
});

test('a name of several lines or with control characters is one plain prefix', async () => {
  const hostile = { ...failed, name: 'x\x1b[2J\ny' };
  const { shown } = await shownFor([hostile], [log({ body: 'a' })]);
  expect(shown).toEqual([expect.stringMatching(/^x[^\x00-\x1f]*y \| a\n$/)]);
});

test('a log that cannot be read is reported in its place', async () => {
  const missing = { status: 404, json: { message: 'No log found' } };
  const { shown, notes } = await shownFor([failed, failed], [log(missing)]);
  expect(shown).toEqual([]);
  expect(notes).toEqual([
    'no log of acme/web/7#j: cannot read the log of job acme/web/7#j: log of job j was not found',
  ]);
});

test('what breaks while it is shown breaks the watch', async () => {
  const broken = new Error('the pipe is closed');
  const show = () => Promise.reject(broken);
  await expect(shownFor([failed], [log({ body: 'a' })], { show })).rejects.toBe(broken);
});

test('an interrupt is no log that cannot be read', async () => {
  const interrupt = new AbortController();
  const reason = new CictlError('interrupted', 'interrupted');
  const show = () => {
    interrupt.abort(reason);
    return Promise.reject(reason);
  };
  const way = { show, signal: interrupt.signal };
  await expect(shownFor([failed], [log({ body: 'a' })], way)).rejects.toBe(reason);
});

test.each<[string, Way, string]>([
  ['a coloured screen', { screen: terminal, color: true }, 'unit | \x1b[31mred\x1b[0m\n'],
  ['a screen without colours', { screen: terminal }, 'unit | red\n'],
  ['a pipe, coloured though it is', { color: true }, 'unit | red\n'],
])('colours of a log on %s', async (_, way, text) => {
  const { shown } = await shownFor([failed], [log({ body: '\x1b[31mred\x1b[0m\n' })], way);
  expect(shown).toEqual([text]);
});
