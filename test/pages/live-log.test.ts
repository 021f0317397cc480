/** The page of a job while the job changes. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCounterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';

describe.skipIf(!hasBrowser)('the page of a job that has not started', () => {
  const browser = useBrowser();

  async function open(rest = '') {
    const service = await createCounterpart({ runner: scriptedRunner() });
    onTestFinished(() => service.close());
    const api = await service.pipeline('web', "steps: [{ block: 'go' }, { command: 'work' }]");
    await service.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
    const { jobs } = await service.until(`${api}/builds/1`, ({ jobs: [, job] }) =>
      Boolean(job?.id),
    );
    const [block = '', job = ''] = jobs.map(({ id }) => id);
    const visit = await browser.visit({ signIn: service });
    onTestFinished(() => visit.close());
    await visit.open(`/local/web/builds/1/jobs/${job}${rest}`);
    const start = async (): Promise<void> => {
      await service.put(`${api}/builds/1/jobs/${block}/unblock`);
      await visit.page.locator('.log-follow').waitFor();
      const lines = Array.from({ length: 300 }, (_, line) => `line ${line + 1}\n`);
      await appendFile(join(service.dataDir, 'logs', `${job}.log`), lines.join(''));
    };
    return { page: visit.page, start, follow: visit.page.locator('.log-follow') };
  }

  test('follows its log once it starts', async () => {
    const { page, start, follow } = await open();
    await start();
    await expect.poll(() => page.locator('#L300').count()).toBe(1);
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    const isAtEnd = 'scrollY > 0 && scrollY + innerHeight > document.body.scrollHeight - 8';
    expect(await page.evaluate(isAtEnd)).toBe(true);
  });

  test('stays at the line in its URL', async () => {
    const { page, start, follow } = await open('#L5');
    await start();
    await expect.poll(() => page.locator('#L5').getAttribute('class')).toBe('now');
    expect(await follow.getAttribute('aria-pressed')).toBe('false');
  });
});
