import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Job } from '../api/resources/job.ts';
import { jobLogs, followLog, settledLines, createFailedLogTails } from './job-logs.ts';
import type { Event } from './changes.ts';
import { CictlError } from '../errors.ts';
import type { Response } from '../http/transport.ts';
import { surroundings } from '../../test/support/references.ts';
import type { CannedResponse, Exchange } from '../../test/support/server.ts';
import type { Context } from '../context.ts';
import { createOutput } from '../render/output.ts';
import { memoryStream, terminal } from '../../test/support/units/output-context.ts';
import { createSecrets } from '../terminal/secrets.ts';

const started_at = '2026-01-01T00:00:00Z';
const event = (job: Job): Event => ({ event: 'job', build: {}, job: { type: 'script', ...job } });

/** Logs whose text is `log of ID`, printed to a list. */
function logs(printed: string[], error?: Error) {
  return jobLogs({
    read: (id, range) => {
      const status = range === undefined ? 200 : 416;
      const body = Readable.from([Buffer.from(`log of ${id}`)]);
      return error ? Promise.reject(error) : Promise.resolve({ status, headers: {}, body });
    },
    print: async (job, log) => {
      let text = '';
      for await (const chunk of log) text += Buffer.from(chunk).toString();
      printed.push(`${job.name ?? ''}: ${text}`);
    },
    clock: virtualClock(),
    pause: 100,
  });
}

test('prints the log of a job when it has finished', async () => {
  const printed: string[] = [];
  const { report } = logs(printed);
  await report(event({ id: 'a', name: 'lint', state: 'running', started_at }));
  expect(printed).toEqual([]);
  await report(event({ id: 'a', name: 'lint', state: 'passed', started_at }));
  expect(printed).toEqual(['lint: log of a']);
});

test('prints the log of a job that finished between two polls', async () => {
  const printed: string[] = [];
  await logs(printed).report(event({ id: 'a', name: 'lint', state: 'failed', started_at }));
  expect(printed).toEqual(['lint: log of a']);
});

test.each<Job>([
  { id: 'a', state: 'scheduled' },
  { id: 'a', state: 'broken', started_at: null },
  { id: 'a', type: 'manual', state: 'unblocked', started_at },
])('a $state job that never started has no log', async (job) => {
  const printed: string[] = [];
  const { report, close } = logs(printed);
  await report(event(job));
  await close();
  expect(printed).toEqual([]);
});

test.each([
  ['failed', 'http://x/log', ['deploy: log of a']],
  ['running', 'http://x/log', []],
  ['failed', null, []],
])('prints the log of a trigger that is %s if it has one (%s)', async (state, log_url, all) => {
  const printed: string[] = [];
  const { report, close } = logs(printed);
  await report(event({ id: 'a', type: 'trigger', name: 'deploy', state, log_url }));
  await close();
  expect(printed).toEqual(all);
});

test('prints the log so far of jobs still running at the end', async () => {
  const printed: string[] = [];
  const { report, close } = logs(printed);
  await report(event({ id: 'a', name: 'lint', state: 'running', started_at }));
  await close();
  expect(printed).toEqual(['lint: log of a']);
});

test('a log that cannot be read fails the next event', async () => {
  const { report } = logs([], new Error('disk full'));
  const end = report(event({ id: 'a', state: 'passed', started_at }));
  await expect(end).rejects.toThrow('disk full');
});

/**
 * The logs of jobs that are known to be silent in these states, and how often they were requested.
 */
function silentIn(...states: string[]) {
  const asked: string[] = [];
  const printed: string[] = [];
  const all = jobLogs({
    read: (id) => {
      asked.push(id);
      const body = Readable.from([Buffer.from(`log of ${id}`)]);
      return Promise.resolve({ status: 200, headers: {}, body });
    },
    print: async (_, log) => {
      for await (const chunk of log) printed.push(Buffer.from(chunk).toString());
    },
    // The test advances the time.
    clock: { ...virtualClock(), sleep: (_, signal) => aborted(signal) },
    pause: 100,
    isSilent: ({ state }) => states.includes(state ?? ''),
  });
  return { ...all, asked, printed };
}

const aborted = (signal?: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
  );

const job = (state: string) => event({ id: 'a', name: 'lint', state, started_at });

test('requests no log of a job that printed nothing', async () => {
  const { report, close, asked } = silentIn('running', 'passed');
  await report(job('running'));
  await report(job('passed'));
  await close();
  expect(asked).toEqual([]);
});

test('requests a log once the job has printed something', async () => {
  const { report, printed } = silentIn('running');
  await report(job('running'));
  await report(job('passed'));
  expect(printed).toEqual(['log of a']);
});

test('requests the log of a job once more when it is left running', async () => {
  const { report, close, printed } = silentIn('running');
  await report(job('running'));
  await close();
  expect(printed).toEqual(['log of a']);
});

type Range = string | undefined;

/** A log that grows by one text before each request; the job finishes with the last one. */
async function follow(
  texts: readonly string[],
  respond: (log: string, range: Range) => Response,
): Promise<{ text: string; ranges: Range[] }> {
  const ended = new AbortController();
  const ranges: Range[] = [];
  const read = async (range: Range): Promise<Response> => {
    ranges.push(range);
    if (ranges.length >= texts.length) ended.abort();
    return Promise.resolve(respond(texts.slice(0, ranges.length).join(''), range));
  };
  let text = '';
  const log = { read, ended: ended.signal, clock: virtualClock(), pause: 100 };
  for await (const chunk of followLog(log)) text += Buffer.from(chunk).toString();
  return { text, ranges };
}

const response = (status: number, body: string, headers: Response['headers'] = {}): Response => ({
  status,
  headers,
  // Small chunks, as on a network.
  body: Readable.from((body.match(/.{1,3}/gs) ?? []).map((piece) => Buffer.from(piece))),
});

const whole = (log: string): Response => response(200, log);

function ranged(log: string, range: Range): Response {
  if (range === undefined) return whole(log);
  const length = Math.min(log.length, Number(/\d+/.exec(range)?.[0]));
  const start = log.length - length;
  const part = `bytes ${start}-${log.length - 1}/${log.length}`;
  return response(206, log.slice(start), { 'content-range': part });
}

test.each([
  ['a service that knows ranges', ranged],
  ['a service that sends all every time', whole],
])('%s: each byte once', async (_, respond) => {
  const { text } = await follow(['one two\n', '', 'three', ' four\n', ''], respond);
  expect(text).toBe('one two\nthree four\n');
});

test('requests only the new bytes of a log', async () => {
  const { ranges } = await follow(['12345', '678'], ranged);
  expect(ranges).toEqual([undefined, 'bytes=-4096', 'bytes=-4096']);
});

test('a job without a log has none', async () => {
  const { text } = await follow(['', '', ''], () => {
    throw new CictlError('not_found', 'no log');
  });
  expect(text).toBe('');
});

test('reports a log that cannot be read', async () => {
  const failing = follow(['', ''], () => {
    throw new CictlError('auth', 'no scope');
  });
  await expect(failing).rejects.toThrow('no scope');
});

test('reads a log that starts empty after a pause', async () => {
  let reads = 0;
  const ended = new AbortController();
  const read = (): Promise<Response> => {
    if (++reads === 2) ended.abort();
    return Promise.resolve(whole('late'));
  };
  const sleeps: number[] = [];
  const clock = virtualClock();
  const sleep: typeof clock.sleep = (ms, signal) => {
    if (reads === 0) sleeps.push(ms);
    return clock.sleep(ms, signal);
  };
  const log = { read, ended: ended.signal, clock: { ...clock, sleep }, pause: 100 };
  const chunks = followLog({ ...log, isSilent: () => true });
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  expect({ text, sleeps }).toEqual({ text: 'late', sleeps: [100] });
});

async function texts(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  const log = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const seen: string[] = [];
  for await (const text of settledLines(log, {})) seen.push(text);
  return seen;
}

test.each<[string, (string | Uint8Array)[], string[]]>([
  ['a line is there with its newline', ['one\n', 'two\n'], ['one\n', 'two\n']],
  ['a line waits for its newline', ['on', 'e\ntw', 'o\n'], ['one\n', 'two\n']],
  ['the last line may lack one', ['one\ntwo'], ['one\n', 'two']],
  ['marks and colours go', ['\x1b_bk;t=1\x07\x1b[31mred\x1b[0m\n'], ['red\n']],
  ['progress settles', ['10%\r50%\r', '100%\n'], ['100%\n']],
  [
    'a character may be split',
    [Buffer.from('ä\n').subarray(0, 1), Buffer.from('ä\n').subarray(1)],
    ['ä\n'],
  ],
  ['nothing', [], []],
])('%s', async (_, chunks, lines) => {
  expect(await texts(...chunks)).toEqual(lines);
});

test('lines between log lines do not inherit their color', async () => {
  const log = Readable.from(
    ['\x1b[31mred\nstill\n', 'on\x1b[0m\nplain\n'].map((text) => Buffer.from(text)),
  );
  const seen: string[] = [];
  for await (const text of settledLines(log, { colours: true })) seen.push(text);
  const red = (text: string): string => `\x1b[31m${text}\x1b[0m\n`;
  expect(seen).toEqual([red('red') + red('still'), `${red('on')}plain\n`]);
});

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

/** Reports the jobs in turn; the service expects exactly these requests. */
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

test('shows the last twenty lines of a failed log, each prefixed with its job', async () => {
  const body = Array.from({ length: 25 }, (_, index) => `line ${index}\r\n`).join('');
  const { shown, notes } = await shownFor([failed], [log({ body })]);
  const last = Array.from({ length: 20 }, (_, index) => `unit | line ${index + 5}\n`);
  expect(shown).toEqual([last.join('')]);
  expect(notes).toEqual([]);
});

test('shows nothing of an empty log', async () => {
  expect(await shownFor([failed], [log({ body: '' })])).toMatchObject({ shown: [], notes: [] });
});

test('each line keeps its color after truncation', async () => {
  const body = `\x1b[31m${'a\n'.repeat(30)}`;
  const way = { screen: terminal, color: true };
  const { shown } = await shownFor([failed], [log({ body })], way);
  expect(shown).toEqual(['unit | \x1b[31ma\x1b[0m\n'.repeat(20)]);
});

test('shows the log of each job once', async () => {
  const other = { ...failed, id: 'k', name: 'lint', state: 'timed_out' };
  const { shown } = await shownFor(
    [failed, { ...failed, exit_status: 3 }, other, failed],
    [log({ body: 'a' }), log({ body: 'b' }, 'k')],
  );
  expect(shown).toEqual(['unit | a\n', 'lint | b\n']);
});

test('shows the log of a soft failure too', async () => {
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
])('requests no log of a job that %s', async (_, job) => {
  expect(await shownFor([job], [])).toMatchObject({ shown: [], notes: [] });
});

test('requests no log if only the build failed', async () => {
  const { report, shown } = await shownFor([], []);
  await report({ event: 'build', build: { state: 'failed', jobs: [failed] } });
  expect(shown).toEqual([]);
});

test('a multi-line name or control characters become one plain prefix', async () => {
  const hostile = { ...failed, name: 'x\x1b[2J\ny' };
  const { shown } = await shownFor([hostile], [log({ body: 'a' })]);
  expect(shown).toEqual([expect.stringMatching(/^x[^\x00-\x1f]*y \| a\n$/)]);
});

test('reports a log that cannot be read in its place', async () => {
  const missing = { status: 404, json: { message: 'No log found' } };
  const { shown, notes } = await shownFor([failed, failed], [log(missing)]);
  expect(shown).toEqual([]);
  expect(notes).toEqual([
    'no log for acme/web/7#j: cannot read the log of job acme/web/7#j: log of job j was not found',
  ]);
});

test('an error while printing a log fails the watch', async () => {
  const broken = new Error('the pipe is closed');
  const show = () => Promise.reject(broken);
  await expect(shownFor([failed], [log({ body: 'a' })], { show })).rejects.toBe(broken);
});

test('an interrupt is not reported as an unreadable log', async () => {
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
])('colors of a log on %s', async (_, way, text) => {
  const { shown } = await shownFor([failed], [log({ body: '\x1b[31mred\x1b[0m\n' })], way);
  expect(shown).toEqual([text]);
});
