/** The pictures of docs/pages.md: `CICTL_WRITE_PICTURES=1 npx vitest run test/pages/pictures` takes them anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, test } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { createScene } from './scene/scene.ts';

const top = join(import.meta.dirname, '../..');
const pictures = ['docs/page-of-a-build.png', 'docs/page-of-a-job.png'] as const;
const isTaken = hasBrowser && env['CICTL_WRITE_PICTURES'] === '1';

test.each(pictures)('%s is a small image shown in the documentation', (path) => {
  const bytes = readFileSync(join(top, path));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeLessThan(200_000);
  const name = path.replace('docs/', '');
  expect(readFileSync(join(top, 'docs/pages.md'), 'utf8')).toContain(`](${name})`);
});

test('the README shows one of them', () => {
  expect(readFileSync(join(top, 'README.md'), 'utf8')).toContain(`](${pictures[0]})`);
});

describe.skipIf(!isTaken)('images', () => {
  const browser = useBrowser();
  test('are taken', async () => {
    const scene = await createScene();
    const visit = await browser.visit({ signIn: scene.service });
    const job = await scene.jobId('web/1', 'unit', 'failed');
    for (const [index, path] of ['', `/jobs/${job}`].entries()) {
      await visit.open(`/local/web/builds/1${path}`);
      await visit.page.screenshot({
        path: join(top, pictures[index] ?? ''),
        fullPage: true,
      });
    }
    expect(await visit.problems()).toEqual([]);
    await visit.close();
    await scene.service.stop();
  });
});
