/** Every page in a real browser: at two widths, light and dark, with scripts and without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { displays, hasBrowser, nameOfDisplay, useBrowser } from '../support/browser.ts';
import { pagesOf } from './scene/pages-of.ts';
import { createScene, type Scene } from './scene/scene.ts';

describe.skipIf(!hasBrowser)('every page', () => {
  const browser = useBrowser();
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene();
  });
  afterAll(() => scene.service.stop());

  test.each(displays.map((display) => [nameOfDisplay(display), display] as const))(
    'fits its box, makes no external requests and is accessible: %s',
    async (name, display) => {
      const visit = await browser.visit({ display, signIn: scene.service });
      const problems: string[] = [];
      for (const [page, path] of Object.entries(await pagesOf(scene))) {
        expect(await visit.open(path), path).toBe(200);
        await visit.shoot(`${page}/${name}`);
        const found = [...(await visit.problems()), ...(await visit.accessibilityProblems())];
        problems.push(...found.map((problem) => `${page}: ${problem}`));
      }
      expect(problems).toEqual([]);
      await visit.close();
    },
  );

  test.each([390, 1280])('other states of pages are accessible: %d pixels', async (width) => {
    const display = { width, scheme: 'light', scripts: true } as const;
    const visit = await browser.visit({ display, signIn: scene.service });
    const { page } = visit;
    visit.allow(/40[14]/);
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      await visit.shoot(`besides/${name}-${width}`);
      const problems = [...(await visit.problems()), ...(await visit.accessibilityProblems())];
      found.push(...problems.map((problem) => `${name}: ${problem}`));
    };
    await visit.open('/local/web/builds/999');
    await look('not-there');
    await visit.open((await pagesOf(scene))['job-failed'] ?? '');
    await page.getByText('Times').click();
    await page.getByRole('searchbox').fill('test');
    await page.getByRole('button', { name: 'Next match' }).waitFor();
    await look('search');
    await page.getByRole('searchbox').blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await look('keys');
    await visit.context.clearCookies();
    await visit.open('/');
    await look('signed-out');
    expect(found).toEqual([]);
    await visit.close();
  });

  test.each(['/badges/none.svg', '/-/assets/none.css', '/local/none', '/-/sign-in'])(
    'missing pages are accessible: %s',
    async (path) => {
      const visit = await browser.visit();
      visit.expectOrigin(scene.service.url);
      visit.allow(/status of 40[14]/);
      expect(await visit.open(path)).toBeGreaterThan(400);
      expect([...(await visit.problems()), ...(await visit.accessibilityProblems())]).toEqual([]);
      await visit.close();
    },
  );

  test('on paper, there are no controls', async () => {
    const visit = await browser.visit({ signIn: scene.service });
    await visit.page.emulateMedia({ media: 'print' });
    for (const path of Object.values(await pagesOf(scene))) {
      await visit.open(path);
      const controls = visit.page
        .locator('button, input, select, textarea')
        .filter({ visible: true });
      expect([path, await controls.count()]).toEqual([path, 0]);
    }
    await visit.close();
  });
});
