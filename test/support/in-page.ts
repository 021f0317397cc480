import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** What a function of `test/support/in-page` gives, called in the page: lines. */
export async function inPage(page: Page, name: string, value: unknown = null): Promise<string[]> {
  const text = readFileSync(join(import.meta.dirname, `in-page/${name}.js`), 'utf8');
  const [, source = ''] = text.split('export default ');
  return await page.evaluate<string[]>(`(${source})(${JSON.stringify(value)})`);
}
