import { expect, test } from 'vitest';
import { jobLogView } from './job-log-view.ts';
import type { JobOfPage } from './job-of-page.ts';
import type { PageCall } from './page-call.ts';

const log = Buffer.from(Array.from({ length: 1000 }, (_, at) => `line ${at + 1}\r\n`).join(''));

/** A log of which the beginning takes longer to read than anybody waits. */
const slowLogs = {
  size: () => Promise.resolve(1e9),
  async *read(_: string, { start }: { start: number }) {
    if (start === 0) await new Promise(() => undefined);
    yield await Promise.resolve(log);
  },
};

test('while a large log is read, its last lines are there already', async () => {
  const call = {
    service: { logs: slowLogs },
    ...{ query: new URLSearchParams(), params: {} },
    api: { fetch: () => Promise.resolve(new Response('x')) },
  } as unknown as PageCall;
  const job = { job: { id: 'a' }, build: {}, path: '/j' } as JobOfPage;
  const { state, html, events, lines } = await jobLogView(call, job, 7);
  expect({ state, lines, events }).toEqual({
    ...{ state: 'reading', lines: 0 },
    events: '/j/events?last-event-id=0-7',
  });
  expect(html.match(/<div>/g)).toHaveLength(500);
  expect(html).toContain('<div>line 501</div>');
  expect(html.trimEnd()).toMatch(/<div>line 1000<\/div>$/);
});
