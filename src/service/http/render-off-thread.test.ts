/** From the bundle: the source has no thread. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextTurn } from '../../common/clock.ts';
import { renderMarkdown } from './markdown.ts';
import type * as OffThread from './render-off-thread.ts';
import { renderOffThread } from './render-off-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'cictl-markdown-'));
let bundled: typeof OffThread;

beforeAll(async () => {
  const input = {
    'render-off-thread': join(import.meta.dirname, 'render-off-thread.ts'),
    'markdown-worker': join(import.meta.dirname, 'markdown-worker.ts'),
  };
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  await build.write({ dir: folder, format: 'cjs', entryFileNames: '[name].cjs' });
  await build.close();
  const load = createRequire(import.meta.url);
  bundled = load(join(folder, 'render-off-thread.cjs')) as typeof OffThread;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const long = '* [a](b) **c** <script>d</script>\n'.repeat(100);

test('renders a long text correctly without blocking the event loop', async () => {
  let isDone = false;
  const rendering = bundled.renderOffThread(long).finally(() => (isDone = true));
  await nextTurn();
  expect(isDone).toBe(false);
  expect(await rendering).toBe(renderMarkdown(long));
  expect(await renderOffThread(long)).toBe(renderMarkdown(long));
});

test('renders a short text without a thread', async () => {
  expect(await bundled.renderOffThread('**a**')).toBe('<p><strong>a</strong></p>');
});

test('shows a text as is if rendering takes too long, and renders the next one', async () => {
  const atOnce = (onOver: () => void): { stop(): void } => {
    onOver();
    return { stop: () => undefined };
  };
  const text = `<b>${'a '.repeat(2000)}`;
  expect(await bundled.renderOffThread(text, atOnce)).toBe(
    `<pre>&lt;b&gt;${'a '.repeat(2000)}</pre>`,
  );
  expect(await bundled.renderOffThread(long)).toBe(renderMarkdown(long));
});
