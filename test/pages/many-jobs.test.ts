/** A build with more jobs than a page lists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';

const step = (index: number): string => `{ label: Step ${index}, command: x, skip: later }`;
const steps = Array.from({ length: 1500 }, (_, index) => `  - ${step(index)}`).join('\n');

describe.skipIf(!hasBrowser)('a build with many jobs', () => {
  const browser = useBrowser();
  let service: Counterpart;
  let ids: readonly string[];
  beforeAll(async () => {
    service = await createCounterpart({ runner: scriptedRunner() });
    const api = await service.pipeline('web', `steps:\n${steps}\n`);
    await service.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
    ids = (await service.get(`${api}/builds/1`)).json.jobs.map(({ id }) => id);
  });
  afterAll(() => service.close());

  test('lists a thousand, and finds any of them', async () => {
    const visit = await browser.visit({ signIn: service });
    const { page } = visit;
    const row = (index: number) => page.locator(`[id="${ids[index] ?? ''}"]`);
    await visit.open('/local/web/builds/1');
    expect(await page.locator('.job').count()).toBe(1000);
    expect(await visit.problems()).toEqual([]);
    expect(await visit.accessibilityProblems()).toEqual([]);
    await page.getByRole('link', { name: 'Next' }).click();
    await row(1000).waitFor();
    expect(await page.locator('.job').count()).toBe(500);
    await visit.open(`/local/web/builds/1#${ids[3] ?? ''}`);
    await row(3).waitFor();
    await page.evaluate(`location.hash = '${ids[1400] ?? ''}'`);
    await row(1400).waitFor();
    expect(page.url()).toMatch(new RegExp(`[?]job=${ids[1400] ?? ''}#`));
    await visit.open('/local/web/builds/1?state=running#00000000-0000-4000-8000-000000000000');
    await page.waitForURL(/[?]job=0/);
    expect(await page.locator('.job').count()).toBe(1000);
    await visit.close();
  });
});
