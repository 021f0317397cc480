import { expect, test } from 'vitest';
import { buildPictures } from './build-page.tsx';
import type { PageCall } from './page-call.ts';

/** A build with these versions, which is read while `read` controls what happens. */
function draw(read: () => void, build: { version: () => string; next: () => Promise<void> }) {
  const call = {
    ...{ params: {}, query: new URLSearchParams(), signal: new AbortController().signal },
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
  return buildPictures(call, build);
}

const next = (): Promise<void> => Promise.reject(new Error('it waits'));

test('sends nothing at first to an up-to-date page, and waits for a change', async () => {
  const pictures = draw(() => undefined, { version: () => '1', next });
  expect((await pictures.next()).value).toMatchObject({ version: '1', isExact: true, changed: [] });
  await expect(pictures.next()).rejects.toThrow('it waits');
});

test('a rendering is not exact if the build changed meanwhile', async () => {
  let version = 1;
  const read = (): void => void (version = 2);
  const pictures = draw(read, { version: () => String(version), next });
  expect((await pictures.next()).value).toMatchObject({ version: '1', isExact: false });
});
