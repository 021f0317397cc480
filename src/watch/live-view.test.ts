import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { plain } from '../render/colors.ts';
import { liveView } from './live-view.ts';

/** A live view, what its painter received, and a manual clock. */
function live(height = 10) {
  const painted: string[][] = [];
  const above: string[] = [];
  let wake = (): void => undefined;
  let divert: ((text: string) => void) | undefined;
  const view = liveView({
    out: { color: plain, width: 80, height } as never,
    clock: {
      now: () => Date.UTC(2026, 0, 1),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          above.push(`sleep ${ms}`);
          wake = resolve;
          signal?.addEventListener('abort', () => reject(new Error('over')));
        }),
    },
    painter: {
      paint: (lines: readonly string[]) => Promise.resolve(void painted.push([...lines])),
      above: (text: string) => Promise.resolve(void above.push(text)),
      close: (lines: readonly string[]) => Promise.resolve(void painted.push(['end', ...lines])),
    } as never,
    messages: { redirect: (to: typeof divert) => (divert = to) },
    secrets: { redact: (text: string) => text },
  });
  return { view, painted, above, wake: () => wake(), diverted: () => divert };
}
const build = (rest: Build = {}): Build => ({
  ...{ number: 7, state: 'running', pipeline: { slug: 'web' }, jobs: [] },
  ...rest,
});
const started = (one: Build) => ({ event: 'build', build: one }) as const;

test('says what it waits for until a build exists', async () => {
  const { view, painted } = live();
  await view.report({ event: 'wait', reason: 'waiting for\ta build' });
  await view.report(started(build()));
  expect(painted).toEqual([
    [expect.stringMatching(/^waiting for.a build$/)],
    [expect.stringContaining('● web #7 running')],
  ]);
  await view.close();
});

test('identifies builds by id, URL or number, and keeps their order', async () => {
  const { view, painted } = live(20);
  for (const one of [{ id: 'a' }, { id: 'b' }, { web_url: 'u' }, { web_url: 'v' }, { number: 8 }])
    await view.report(started(build(one)));
  await view.report(started(build({ id: 'a', state: 'passed' })));
  expect(painted.at(-1)).toHaveLength(5);
  expect(painted.at(-1)?.[0]).toContain('passed');
  await view.close();
});

test('the frame leaves the last row free, and the final output has every job', async () => {
  const jobs = Array.from({ length: 20 }, (_, n) => ({ id: `j${n}`, name: 'j', state: 'passed' }));
  const { view, painted } = live(10);
  await view.report(started(build({ id: 'a', jobs })));
  expect(painted.at(-1)).toHaveLength(9);
  await view.close();
  expect(painted.at(-1)?.[0]).toBe('end');
  expect(painted.at(-1)).toHaveLength(22);
});

test('repaints five times a second until it is closed', async () => {
  const { view, painted, above, wake } = live();
  wake();
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(painted).toHaveLength(1);
  expect(above).toEqual(['sleep 200', 'sleep 200']);
  await view.close();
  expect(painted).toHaveLength(2);
});

test('paints once per poll, whatever has changed', async () => {
  const { view, painted } = live();
  const jobs = ['a', 'b', 'c'].map((id) => ({ id, name: id, state: 'passed' }));
  const look = build({ jobs });
  for (const job of jobs) await view.report({ event: 'job', build: look, job });
  expect(painted).toHaveLength(1);
  expect(painted[0]).toHaveLength(4);
  await view.report(started(build({ jobs, state: 'passed' })));
  expect(painted).toHaveLength(2);
  await view.close();
});

test('prints logs, notes and client messages above the frame', async () => {
  const { view, above, diverted } = live();
  await view.show('a line\n');
  await view.note('a\x1b[2J note');
  diverted()?.('waiting 2 s\n');
  expect(above.slice(1)).toEqual([
    'a line\n',
    expect.stringMatching(/^a.* note\n$/),
    'waiting 2 s\n',
  ]);
  await view.close();
  expect(diverted()).toBeUndefined();
});

test('shows shortcodes in names as emojis, in later jobs too', async () => {
  const { view, painted } = live();
  const jobs = [{ id: 'a', name: ':rocket: deploy', state: 'running' }];
  await view.report(started(build({ id: 'a', jobs: [] })));
  await view.report(started(build({ id: 'a', jobs })));
  expect(painted.at(-1)?.[1]).toMatch(/🚀 deploy$/);
  await view.close();
});
