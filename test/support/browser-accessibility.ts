import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inPage } from './in-page.ts';

/** All WCAG 2.2 AA rules that can be checked automatically, and best practices. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns one line per violation that axe-core finds. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await inPage(page, 'accessibility', rules);
}
