import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Calls a function from `test/support/in-page` in the page; returns lines. */
export async function inPage(page: Page, name: string, value: unknown = null): Promise<string[]> {
  const text = readFileSync(join(import.meta.dirname, `in-page/${name}.js`), 'utf8');
  const [, source = ''] = text.split('export default ');
  return await page.evaluate<string[]>(`(${source})(${JSON.stringify(value)})`);
}
