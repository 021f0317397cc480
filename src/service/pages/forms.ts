import type { PageHandler } from './page-call.ts';
import { notYet } from './not-yet.tsx';

export const createBuild: PageHandler = notYet;

export const cancelBuild: PageHandler = notYet;

export const rebuildBuild: PageHandler = notYet;

export const retryJob: PageHandler = notYet;

export const unblockJob: PageHandler = notYet;
