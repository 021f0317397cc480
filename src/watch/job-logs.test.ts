import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Job } from '../api/resources/job.ts';
import { jobLogs } from './job-logs.ts';
import type { Event } from './changes.ts';

const started_at = '2026-01-01T00:00:00Z';
const event = (job: Job): Event => ({ event: 'job', build: {}, job: { type: 'script', ...job } });

/** Logs whose text is `log of ID`, printed into a list. */
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

test('the log of a job is printed when the job is reported to have ended', async () => {
  const printed: string[] = [];
  const { report } = logs(printed);
  await report(event({ id: 'a', name: 'lint', state: 'running', started_at }));
  expect(printed).toEqual([]);
  await report(event({ id: 'a', name: 'lint', state: 'passed', started_at }));
  expect(printed).toEqual(['lint: log of a']);
});

test('a job that ended between two requests has its log printed too', async () => {
  const printed: string[] = [];
  await logs(printed).report(event({ id: 'a', name: 'lint', state: 'failed', started_at }));
  expect(printed).toEqual(['lint: log of a']);
});

test.each<Job>([
  { id: 'a', state: 'scheduled' },
  { id: 'a', state: 'broken', started_at: null },
  { id: 'a', type: 'manual', state: 'unblocked', started_at },
])('$state without a start has no log', async (job) => {
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
])(
  'a trigger that is %s has its log printed where it has one (%s)',
  async (state, log_url, all) => {
    const printed: string[] = [];
    const { report, close } = logs(printed);
    await report(event({ id: 'a', type: 'trigger', name: 'deploy', state, log_url }));
    await close();
    expect(printed).toEqual(all);
  },
);

test('what still runs at the end is printed so far', async () => {
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

/** The logs of jobs that are known to be silent in these states, and how often they were asked for. */
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
    // Time passes when a test says so.
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

test('a job that never writes is not asked for its log', async () => {
  const { report, close, asked } = silentIn('running', 'passed');
  await report(job('running'));
  await report(job('passed'));
  await close();
  expect(asked).toEqual([]);
});

test('one that had written nothing yet is asked when it has', async () => {
  const { report, printed } = silentIn('running');
  await report(job('running'));
  await report(job('passed'));
  expect(printed).toEqual(['log of a']);
});

test('one that is left while it runs is asked once more', async () => {
  const { report, close, printed } = silentIn('running');
  await report(job('running'));
  await close();
  expect(printed).toEqual(['log of a']);
});
