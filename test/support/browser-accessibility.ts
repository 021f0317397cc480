import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inPage } from './in-page.ts';

/** All of WCAG 2.2 AA that a program can find, and what is good besides. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Whom a page would shut out, as axe-core finds it: a line for each violation. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await inPage(page, 'accessibility', rules);
}
