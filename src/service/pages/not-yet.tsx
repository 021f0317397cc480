import type { PageHandler } from './page-call.ts';

export const notYet: PageHandler = () => ({ title: 'Not yet', crumbs: [], body: <p>Not yet</p> });
