/** The script of log pages: sections, links to lines, search, times, colors. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';

const mark = (line: number): string => `\x1b_bk;t=${1_700_000_000_000 + line}\x07`;
const section = (name: string, count: number, text: (line: number) => string): string =>
  [`${mark(0)}${name}`, ...Array.from({ length: count }, (_, line) => mark(line) + text(line + 1))]
    .map((line) => `${line}\n`)
    .join('');
const log =
  section('--- first', 3, (line) => `\x1b[38;5;208morange\x1b[0m ${line}`) +
  section('--- long', 6000, (line) => `long \x1b[1mnumber\x1b[0m ${line}`) +
  section('+++ last', 5, (line) => `last ${line}${line === 5 ? ' İİ İSTANBUL' : ''}`);

describe.skipIf(!hasBrowser)('the log of a job', () => {
  const browser = useBrowser();
  let service: Counterpart;
  let path: string;
  beforeAll(async () => {
    service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
    const api = await service.pipeline('web', "steps: [{ command: 'true' }]");
    await service.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
    const { jobs } = await service.settled(`${api}/builds/1`);
    const id = jobs[0]?.id ?? '';
    await writeFile(join(service.dataDir, 'logs', `${id}.log`), log);
    path = `/local/web/builds/1/jobs/${id}`;
  });
  afterAll(() => service.close());

  async function open(rest = '') {
    const visit = await browser.visit({ signIn: service });
    await visit.open(path + rest);
    return { visit, page: visit.page, row: (line: number) => visit.page.locator(`#L${line}`) };
  }

  test('opening a section loads it from its start', async () => {
    const { visit, page, row } = await open();
    expect(await row(6).count()).toBe(0);
    await page.getByText('long', { exact: true }).click();
    await row(6).waitFor();
    expect(await row(6).innerText()).toContain('long number 1');
    expect(await page.locator('[id^=L]').count()).toBeLessThan(4001);
    expect(await visit.problems()).toEqual([]);
    await visit.close();
  });

  test('the URL of a line leads to it anywhere', async () => {
    const { visit, page, row } = await open('#L3005');
    await row(3005).waitFor();
    await expect.poll(() => row(3005).getAttribute('class')).toBe('now');
    await expect.poll(() => row(3005).isVisible()).toBe(true);
    await page.evaluate('location.hash = "#L2"');
    await expect.poll(() => row(2).isVisible()).toBe(true);
    await visit.close();
  });

  test('search covers the whole log, ignoring colors', async () => {
    const { visit, page, row } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('NUMBER 59');
    await expect.poll(() => page.locator('.log-bar output').innerText()).toBe('1 of 111');
    await expect.poll(() => row(64).getAttribute('class')).toBe('now');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => row(6004).getAttribute('class')).toBe('now');
    expect(await page.locator('.log-bar output').innerText()).toBe('111 of 111');
    expect(await visit.problems()).toEqual([]);
    await visit.close();
  });

  test('highlights matches whose case changes their length', async () => {
    const { visit, page, row } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('istanbul');
    await expect.poll(() => row(6011).getAttribute('class')).toBe('now');
    const marked = '[...CSS.highlights.get("found")].join()';
    await expect.poll(() => page.evaluate(marked)).toBe('İSTANBUL');
    await visit.close();
  });

  test('Escape closes the search, and keys work again', async () => {
    const { visit, page, row } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('number 59');
    await expect.poll(() => page.locator('.log-bar output').innerText()).toBe('1 of 111');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.log-bar output').innerText()).toBe('');
    await page.evaluate('location.hash = "#L3005"');
    await expect.poll(() => row(3005).getAttribute('class')).toBe('now');
    expect(await visit.problems()).toEqual([]);
    await visit.close();
  });

  test("shows times on request, and the log's colors", async () => {
    const { visit, page, row } = await open();
    await page.getByText('first', { exact: true }).click();
    const [time, orange] = [row(2).locator('time'), row(2).locator('[data-ink]')];
    expect(await time.isVisible()).toBe(false);
    await page.keyboard.press('t');
    expect(await time.isVisible()).toBe(true);
    expect(await orange.getAttribute('style')).toContain('rgb(166, 88, 0)');
    await visit.close();
  });

  test('links work without scripts', async () => {
    const visit = await browser.visit({
      signIn: service,
      display: { width: 390, scheme: 'dark', scripts: false },
    });
    await visit.open(path);
    await visit.page.getByText('long', { exact: true }).click();
    await visit.page.getByRole('link', { name: 'show up to line 6005' }).click();
    await visit.page.locator('#L6005').waitFor();
    expect(await visit.page.locator('#L5900').isVisible()).toBe(true);
    expect(await visit.page.locator('.log-follow').isVisible()).toBe(false);
    expect(await visit.problems()).toEqual([]);
    await visit.close();
  });
});
