import type { PageHandler } from './page-call.ts';
import { notYet } from './not-yet.tsx';

export const pipelinePage: PageHandler = notYet;

export const newBuildPage: PageHandler = notYet;
