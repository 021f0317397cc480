import type { PageHandler } from './page-call.ts';
import { notYet } from './not-yet.tsx';

export const jobPage: PageHandler = notYet;

export const jobEvents: PageHandler = notYet;

export const logLines: PageHandler = notYet;

export const logSearch: PageHandler = notYet;

export const rawLog: PageHandler = notYet;
