/** The addresses of the pages. Their code is loaded at the first request of one of them. */
import type { RouteMethod } from '../http/route.ts';

const build = '/:org/:pipeline/builds/:number';
const job = `${build}/jobs/:job`;

/**
 * By the name of the handler in `page-handlers.ts`; `-` is no slug, so that these of ours come before
 * organizations. What changes something is POST.
 */
export const pagePaths = {
  signIn: ['GET', '/-/sign-in'],
  signOut: ['POST', '/-/sign-out'],
  asset: ['GET', '/-/assets/:file'],
  home: ['GET', '/'],
  agent: ['GET', '/organizations/:org/agents/:agent'],
  webhook: ['GET', '/webhooks/:org/:id'],
  organization: ['GET', '/:org'],
  organizationEvents: ['GET', '/:org/-/events'],
  pipeline: ['GET', '/:org/:pipeline'],
  pipelineBuilds: ['GET', '/:org/:pipeline/builds'],
  pipelineEvents: ['GET', '/:org/:pipeline/events'],
  newBuild: ['GET', '/:org/:pipeline/builds/new'],
  createBuild: ['POST', '/:org/:pipeline/builds'],
  stats: ['GET', '/:org/:pipeline/stats'],
  build: ['GET', build],
  buildEvents: ['GET', `${build}/events`],
  cancel: ['POST', `${build}/cancel`],
  rebuild: ['POST', `${build}/rebuild`],
  job: ['GET', job],
  jobEvents: ['GET', `${job}/events`],
  logLines: ['GET', `${job}/log/lines`],
  logSearch: ['GET', `${job}/log/search`],
  rawLog: ['GET', `${job}/log.txt`],
  artifact: ['GET', `${job}/artifacts/:artifact`],
  retry: ['POST', `${job}/retry`],
  unblock: ['POST', `${job}/unblock`],
  other: ['GET', '/*'],
} as const satisfies Record<string, readonly [RouteMethod, string]>;

export type PageName = keyof typeof pagePaths;
