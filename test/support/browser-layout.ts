import type { Page } from 'playwright-core';
import { inPage } from './in-page.ts';

/** Returns one line per element that overflows its box. */
export const boxProblems = (page: Page): Promise<string[]> => inPage(page, 'boxes');

/** Returns one line per element or effect that untrusted text has injected. */
export const harmProblems = (page: Page): Promise<string[]> => inPage(page, 'harm');

/** The loaded log lines of a job's page. */
export const linesOnPage = (page: Page): Promise<string[]> => inPage(page, 'lines');
