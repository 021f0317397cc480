/**
 * The screenshots in docs/pages.md. To update them, run `CICTL_WRITE_PICTURES=1 npx vitest run
 * test/pages/pictures`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import AnsiToHtml from 'ansi-to-html';
import { describe, expect, test } from 'vitest';
import { createLogPipeline } from '../../src/log/log-pipeline.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { withPrograms } from '../support/on-path.ts';
import { inTerminal } from '../support/pty.ts';
import { createScene } from './scene/scene.ts';

const top = join(import.meta.dirname, '../..');
const pages = ['docs/page-of-a-build.png', 'docs/page-of-a-job.png'] as const;
const terminal = 'docs/terminal.png';
const isTaken = hasBrowser && env['CICTL_WRITE_PICTURES'] === '1';

test.each([
  [pages[0], 'docs/pages.md'],
  [pages[1], 'docs/pages.md'],
  [terminal, 'README.md'],
])('%s is a small image in %s', (path, page) => {
  const bytes = readFileSync(join(top, path));
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeLessThan(200_000);
  const link = page === 'README.md' ? path : path.replace('docs/', '');
  expect(readFileSync(join(top, page), 'utf8')).toContain(`](${link})`);
});

describe.skipIf(!isTaken)('images', () => {
  const browser = useBrowser();

  test('takes the pages', async () => {
    const scene = await createScene();
    const visit = await browser.visit({ signIn: scene.service });
    const job = await scene.jobId('web/1', 'unit', 'failed');
    for (const [index, path] of ['', `/jobs/${job}`].entries()) {
      await visit.open(`/local/web/builds/1${path}`);
      await visit.page.screenshot({
        path: join(top, pages[index] ?? ''),
        fullPage: true,
      });
    }
    expect(await visit.problems()).toEqual([]);
    await visit.close();
    await scene.service.stop();
  });

  test('takes the terminal', async () => {
    const scene = await createScene();
    const { home, url, token } = scene.service;
    const programs = await withPrograms(home);
    const env = { ...programs, CICTL_BASE_URL: url, CICTL_TOKEN: token, CICTL_ORG: 'local' };
    const commands = ['cictl builds list web', 'cictl builds failures web/1'];
    const typed = commands.map((line) => `echo '\x1b[1;32m$\x1b[0;1m ${line}\x1b[0m'; ${line}`);
    const options = { home, env, columns: 92, rows: 40 };
    const { bytes } = await inTerminal(['bash', '-c', typed.join('; echo; ')], options);
    const log = await createLogPipeline({ format: 'ansi' });
    const text = Buffer.from(log.push(bytes) + log.end(), 'latin1').toString();
    const html = new AnsiToHtml({ fg: '#d6deeb', colors, escapeXML: true }).toHtml(
      firstLines(text),
    );
    const visit = await browser.visit();
    await visit.page.setContent(`<pre style="display: inline-block; margin: 0; padding: 20px 24px;
      background: #0d1117; color: #d6deeb; font: 14px/1.4 monospace">${html}</pre>`);
    await visit.page.locator('pre').screenshot({ path: join(top, terminal) });
    await visit.close();
    await scene.service.stop();
  });
});

/** The start of the output, up to the first failure with its lines. */
const firstLines = (text: string): string => text.trim().split('\n').slice(0, 29).join('\n');

/** Colors that are readable on a dark background. */
const colors = {
  ...{ 1: '#ff7b72', 2: '#3fb950', 3: '#d29922', 4: '#58a6ff', 5: '#bc8cff', 6: '#39c5cf' },
  8: '#8b949e',
};
