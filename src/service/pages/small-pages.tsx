import type { PageHandler } from './page-call.ts';
import { notYet } from './not-yet.tsx';

export const agentPage: PageHandler = notYet;

export const webhookPage: PageHandler = notYet;
