import type { Page } from 'playwright-core';
import { inPage } from './in-page.ts';

/** Whether everything on a page stays where it belongs: a line for each that does not. */
export const boxProblems = (page: Page): Promise<string[]> => inPage(page, 'boxes');

/** Whether a page is of our making alone: a line for each thing that a text has made. */
export const harmProblems = (page: Page): Promise<string[]> => inPage(page, 'harm');

/** The lines of the log on the page of a job, those that are loaded. */
export const linesOnPage = (page: Page): Promise<string[]> => inPage(page, 'lines');
