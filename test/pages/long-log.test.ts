/**
 * A log of 100 MB: a page shows its end, loads the rest on scrolling, and never holds much of it at
 * once.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linesOnPage } from '../support/browser-layout.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import type { Visit } from '../support/browser-visit.ts';
import { small } from './scene/pipelines.ts';
import { createEmptyScene, type Scene } from './scene/scene.ts';

const lines = 1_000_000;
const numbered = (n: number): string => `line ${n} of the log `.padEnd(98, '=');
const big = (): string => {
  const pieces: string[] = [];
  for (let n = 1; n <= lines; n++)
    pieces.push(n % 100_000 === 1 ? `--- part ${n}` : numbered(n), '\r\n');
  return pieces.join('');
};

describe.skipIf(!hasBrowser)('a log of 100 MB', () => {
  const browser = useBrowser();
  let scene: Scene;
  let visit: Visit;
  let path: string;
  beforeAll(async () => {
    scene = await createEmptyScene({ logs: { big: big() } });
    await scene.pipeline('big', small.replace('EXIT:', 'LOG: big, EXIT:'));
    await scene.build('big', { env: { STATUS: '1' } });
    await scene.act();
    path = `/local/big/builds/1/jobs/${await scene.jobId('big/1', 'test')}`;
    visit = await browser.visit({ signIn: scene.service });
  });
  afterAll(async () => {
    await visit.close();
    await scene.service.stop();
  });

  const last = async (): Promise<string | undefined> => (await linesOnPage(visit.page)).at(-1);
  const elements = (): Promise<number> =>
    visit.page.evaluate<number>('document.querySelectorAll("*").length');
  const sizeOf = async (address: string): Promise<number> =>
    (await (await visit.context.request.get(scene.service.url + address)).body()).length;

  test('opens at its end with a small page', async () => {
    await visit.open(path);
    await expect.poll(last).toBe(numbered(lines));
    expect(await visit.page.locator(`#L${lines + 2}`).isVisible()).toBe(true);
    expect(await sizeOf(path)).toBeLessThan(1_000_000);
    expect(await elements()).toBeLessThan(10_000);
  });

  test('loads what is scrolled to, and unloads the rest', async () => {
    const first = async (): Promise<number> =>
      Number(/line (\d+)/.exec((await linesOnPage(visit.page)).join())?.[1]);
    await visit.page.mouse.move(600, 400);
    let from = await first();
    for (let times = 0; times < 12; times++) {
      await visit.page.mouse.wheel(0, -100_000);
      await expect.poll(first).toBeLessThan(from);
      from = await first();
      expect(await elements()).toBeLessThan(20_000);
    }
    const shown = await linesOnPage(visit.page);
    const numbers = shown.map((line) => Number(/line (\d+)/.exec(line)?.[1]));
    // In order, without duplicates or omissions.
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });

  test('searches the whole log', async () => {
    await visit.page.getByRole('searchbox').fill('line 500000 of');
    await visit.page.keyboard.press('Enter');
    await visit.page.getByText(numbered(500_000)).waitFor();
    expect(await elements()).toBeLessThan(20_000);
    expect(await visit.problems()).toEqual([]);
  });
});
