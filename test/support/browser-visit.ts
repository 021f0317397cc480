/** A user in a browser: opens URLs and checks that nothing unexpected happens. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems } from './browser-accessibility.ts';
import { watchPages } from './browser-guard.ts';
import { boxProblems } from './browser-layout.ts';
import { timeLimit } from './time-limit.ts';

/** A service and the user to sign in as; by default, its owner. */
export interface SignedInAt {
  readonly url: string;
  readonly adminToken: string;
  /** An API token to act as. */
  readonly actAs?: string;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** All pages that are opened must have this origin. */
  expectOrigin(base: string): void;
  /** Signs in, then opens the path. */
  signIn(service: SignedInAt, path?: string): Promise<void>;
  /** Opens a URL or path of the service. Returns the status. */
  open(address: string, page?: Page): Promise<number>;
  /** Allows something that would count as a problem, such as the console error for a 404 page. */
  readonly allow: (what: RegExp) => void;
  /** Returns all problems since the last call, from the guard and on the current page. */
  problems(page?: Page): Promise<string[]>;
  /** Runs axe-core. Finds nothing if scripts are disabled, because axe-core is a script. */
  accessibilityProblems(page?: Page): Promise<string[]>;
  /** Writes the whole page to `test/pages/screenshots/NAME.png`, unless `CICTL_TEST_SCREENSHOTS` is `no`. */
  shoot(name: string, page?: Page): Promise<void>;
  close(): Promise<void>;
}

export const screenshots = join(import.meta.dirname, '../pages/screenshots');

export async function createVisit(
  context: BrowserContext,
  { signIn, scripts }: { readonly signIn: SignedInAt | undefined; readonly scripts: boolean },
): Promise<Visit> {
  context.setDefaultTimeout(timeLimit);
  const guard = watchPages(context);
  const first = await context.newPage();
  let base = '';

  async function problems(page = first): Promise<string[]> {
    return [...guard.take(), ...(await boxProblems(page))];
  }
  const expectOrigin = (url: string): void => {
    base = url;
    guard.belongsTo(url);
  };
  const visit: Visit = {
    expectOrigin,
    context,
    page: first,
    allow: (what) => guard.allow(what),
    problems,
    async signIn(service, path = '/') {
      expectOrigin(service.url);
      await first.goto(`${base}${await signInPath(service)}&to=${encodeURIComponent(path)}`);
    },
    async open(address, page = first) {
      const response = await page.goto(new URL(address, base || undefined).href);
      return response?.status() ?? 0;
    },
    // Without scripts, axe-core would wait forever for its timers.
    accessibilityProblems: async (page = first) =>
      scripts ? await accessibilityProblems(page) : [],
    async shoot(name, page = first) {
      if (env['CICTL_TEST_SCREENSHOTS'] === 'no') return;
      const path = join(screenshots, `${name}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path, fullPage: true });
    },
    close: () => context.close(),
  };
  if (signIn !== undefined) await visit.signIn(signIn);
  return visit;
}

/** Returns the path of a new sign-in link. */
export async function signInPath({ url, adminToken, actAs }: SignedInAt): Promise<string> {
  const response = await fetch(`${url}/local/v1/sign-in-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ token: actAs }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { path: string }).path;
}
