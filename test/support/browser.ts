/** A real headless browser: Debian's Chromium, shared by all tests of a file. */
import { existsSync } from 'node:fs';
import { env } from 'node:process';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { createVisit, type SignedInAt, type Visit } from './browser-visit.ts';

/** The path of Chromium, or undefined if it is not installed. */
const program = [env['CICTL_TEST_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
);

/** Whether Chromium is installed. Use with `describe.skipIf(!hasBrowser)`. */
export const hasBrowser = program !== undefined;

export interface Display {
  /** Pixels. */
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  readonly scripts: boolean;
}

/** Phone and desktop, light and dark, with and without scripts. */
export const displays: readonly Display[] = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [true, false].map((scripts) => ({ width, scheme, scripts })),
  ),
);

export const usualDisplay: Display = { width: 1280, scheme: 'light', scripts: true };

/** `390-dark-plain`; for names of files and tests. */
export const nameOfDisplay = ({ width, scheme, scripts }: Display): string =>
  `${width}-${scheme}${scripts ? '' : '-plain'}`;

export interface TestBrowser {
  /**
   * Opens a fresh browser without cookies or cache. With `signIn`, signs in there as the owner or
   * with an API token. Close the visit when done; see `test/support/browser-visit.ts`.
   */
  visit(options?: { readonly display?: Display; readonly signIn?: SignedInAt }): Promise<Visit>;
}

/** The browser of a test file. Call it at the top of the file or of a `describe`. */
export function useBrowser(): TestBrowser {
  const launch = () =>
    chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  let launched: ReturnType<typeof launch> | undefined;
  beforeAll(async () => {
    if (hasBrowser) await (launched = launch());
  });
  afterAll(async () => {
    await (await launched)?.close();
  });
  return {
    async visit({ display = usualDisplay, signIn } = {}) {
      if (launched === undefined) throw new Error('no Chromium found: skip the test');
      const context = await (
        await launched
      ).newContext({
        viewport: { width: display.width, height: display.width < 600 ? 844 : 800 },
        colorScheme: display.scheme,
        javaScriptEnabled: display.scripts,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      return createVisit(context, { signIn, scripts: display.scripts });
    },
  };
}
