import type { PageHandler } from './page-call.ts';
import { notYet } from './not-yet.tsx';

export const buildPage: PageHandler = notYet;

export const buildEvents: PageHandler = notYet;
