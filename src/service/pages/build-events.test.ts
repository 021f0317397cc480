import { expect, test } from 'vitest';
import { buildEventsOf } from './build-events.ts';
import type { PageCall } from './page-call.ts';

/** Whoever has version 1 of a build, which is read while `read` says what happens. */
function listen(read: () => void, build: { version: () => string; next: () => Promise<void> }) {
  const call = {
    ...{ params: {}, query: new URLSearchParams(), signal: new AbortController().signal },
    header: () => '1',
    service: {
      clock: { now: () => new Date(0) },
      store: { accounts: { organization: () => undefined } },
    },
    context: { link: () => '/local/web/builds/1', now: new Date(0) },
    api: {
      request: (_: string, path: string) => {
        read();
        return Promise.resolve(path.includes('annotations') ? [] : { state: 'passed', jobs: [] });
      },
    },
  } as unknown as PageCall;
  return buildEventsOf(call, build);
}

test('who has the build as it is hears nothing before it changes', async () => {
  const events = listen(() => undefined, {
    version: () => '1',
    next: () => Promise.reject(new Error('it waits')),
  });
  await expect(events.next()).rejects.toThrow('it waits');
});

test('what happens while the build is read for the first time is sent', async () => {
  let version = 1;
  const read = (): void => void (version = 2);
  const events = listen(read, {
    version: () => String(version),
    next: () => Promise.reject(new Error('it waits')),
  });
  expect((await events.next()).value).toMatchObject({ event: 'part' });
});
