import { expect, test } from 'vitest';
import { eventJson } from './event-json.ts';

const build = { number: 3, state: 'failed', blocked: false, web_url: 'http://h/3', message: 'x' };
const expectedBuild = { number: 3, state: 'failed', blocked: false, web_url: 'http://h/3' };
const at = Date.UTC(2026, 0, 2, 3, 4, 5);

test.each([
  [{ event: 'build', build } as const, { event: 'build', build: expectedBuild }],
  [
    {
      event: 'job',
      build,
      job: {
        id: 'j',
        name: 'lint',
        state: 'failed',
        exit_status: 2,
        soft_failed: true,
        command: 'x',
      },
    } as const,
    {
      event: 'job',
      build: expectedBuild,
      job: { id: 'j', name: 'lint', state: 'failed', exit_status: 2, soft_failed: true },
    },
  ],
  [{ event: 'wait', reason: 'no build yet' } as const, { event: 'wait' }],
  [
    { event: 'end', build, exitCode: 1 } as const,
    { event: 'end', build: expectedBuild, exit_code: 1 },
  ],
])('%j', (event, members) => {
  const json = eventJson(event, at);
  expect(json).toStrictEqual({ at: '2026-01-02T03:04:05.000Z', ...members });
});

test('a block step is named by its label', () => {
  const job = { id: 'j', type: 'manual', name: null, label: 'Deploy?', state: 'blocked' };
  expect(eventJson({ event: 'job', build, job }, at)).toHaveProperty('job.name', 'Deploy?');
});

test('a job that waits says which tags no agent has', () => {
  const job = { id: 'j', state: 'scheduled', waiting_for_agents: ['os=mac', 'queue=gpu'] };
  expect(eventJson({ event: 'job', build, job }, at)).toHaveProperty('job.waiting_for_agents', [
    ...['os=mac', 'queue=gpu'],
  ]);
});
