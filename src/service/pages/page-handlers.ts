import { cancelBuild, rebuildBuild, retryJob, unblockJob } from './build-actions.ts';
import { buildEvents, buildPage } from './build-page.tsx';
import { jobEvents, jobPage, logLines, logSearch, rawLog } from './job-page.tsx';
import { home, organizationEvents, organizationPage } from './organization-pages.tsx';
import type { PageHandler } from './page-call.ts';
import type { PageName } from './page-paths.ts';
import { createBuild, newBuildPage } from './new-build-page.tsx';
import { pipelineEvents, pipelinePage } from './pipeline-page.tsx';
import { agentPage, artifactFile, webhookPage } from './small-pages.tsx';
import { statsPage } from './stats-page.tsx';

/** What makes each page. */
export const pageHandlers: Readonly<
  Record<Exclude<PageName, 'asset' | 'signIn' | 'signOut' | 'other'>, PageHandler>
> = {
  home,
  organization: organizationPage,
  organizationEvents,
  agent: agentPage,
  webhook: webhookPage,
  pipeline: pipelinePage,
  pipelineBuilds: pipelinePage,
  pipelineEvents,
  newBuild: newBuildPage,
  createBuild,
  stats: statsPage,
  build: buildPage,
  buildEvents,
  cancel: cancelBuild,
  rebuild: rebuildBuild,
  job: jobPage,
  jobEvents,
  logLines,
  logSearch,
  rawLog,
  artifact: artifactFile,
  retry: retryJob,
  unblock: unblockJob,
};
