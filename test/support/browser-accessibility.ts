import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inPage } from './in-page.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** Whom a page would shut out, as axe-core finds it: a line for each violation. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await inPage(page, 'accessibility', rules);
}
