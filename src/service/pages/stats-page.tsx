import type { PageHandler } from './page-call.ts';
import { notYet } from './not-yet.tsx';

export const statsPage: PageHandler = notYet;
