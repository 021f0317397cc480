import { expect, test } from 'vitest';
import type { Event } from './changes.ts';
import { eventLine } from './event-line.ts';

const build = { number: 3, state: 'passed', web_url: 'http://h/3' };
const job = (members: object): Event => ({
  event: 'job',
  build,
  job: { id: 'j', name: 'lint', state: 'failed', ...members },
});

test.each<[Event, string]>([
  [{ event: 'build', build }, 'build\t3\tpassed\thttp://h/3'],
  [{ event: 'build', build: { ...build, blocked: true } }, 'build\t3\tblocked\thttp://h/3'],
  [job({ state: 'running', exit_status: null }), 'job\tlint\trunning\t'],
  [job({ exit_status: 2 }), 'job\tlint\tfailed\texit status 2'],
  [job({ exit_status: 2, soft_failed: true }), 'job\tlint\tfailed\texit status 2, soft failure'],
  [job({ exit_status: -1, signal: 'SIGTERM' }), 'job\tlint\tfailed\tsignal SIGTERM'],
  [job({ state: 'broken', omitted_reason: 'if\nx' }), 'job\tlint\tbroken\tif\\nx'],
  [
    job({ state: 'scheduled', waiting_for_agents: ['queue=gpu', 'os=linux'] }),
    'job\tlint\tscheduled\tno agent has queue=gpu, os=linux',
  ],
  [job({ state: 'scheduled', waiting_for_agents: [] }), 'job\tlint\tscheduled\t'],
  [job({ name: 'two\tparts\n' }), 'job\ttwo\\tparts\\n\tfailed\t'],
])('%j', (event, line) => {
  expect(eventLine(event, Date.UTC(2026, 0, 2, 3, 4, 5))).toBe(`2026-01-02T03:04:05.000Z\t${line}`);
});

test('of several builds each line names its own', () => {
  const web = { ...build, pipeline: { slug: 'web' } };
  const lines = [{ event: 'build', build: web } as const, { ...job({}), build: web } as Event];
  expect(lines.map((event) => eventLine(event, 0, true)?.split('\t')[2])).toEqual([
    'web/3',
    'web/3#lint',
  ]);
});

test.each<Event>([
  { event: 'wait', reason: 'no build yet' },
  { event: 'end', build, exitCode: 0 },
])('$event is no change', (event) => {
  expect(eventLine(event, 0)).toBeUndefined();
});
