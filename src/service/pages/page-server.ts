import { seeOther, assetFile, framed } from './framed.ts';
import { randomUUID } from 'node:crypto';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';
import type { Call, Route } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import { sessionCookie, createStreamLimit, withinSession, createSessions } from './sessions.ts';
import { errorPage, noPage } from './error-page.tsx';
import { readForm, createSentForms } from './forms.ts';
import { ownLink } from './addresses.ts';
import type { PageCall, PageHandler } from './page-call.ts';
import { pagePaths, type PageName } from './page-routes.ts';
import { sessionApis, signedIn, type SignedIn } from './signed-in.ts';
import { createCode, signIn } from './sign-in.tsx';
import { cancelBuild, rebuildBuild, retryJob, unblockJob } from './build-actions.tsx';
import { buildEvents, buildPage } from './build-page.tsx';
import { jobPage, logLines, rawLog, jobEvents } from './job-page.tsx';
import { logSearch } from './job-log.ts';
import { home, organizationEvents, organizationPage } from './organization-pages.tsx';
import { createBuild, newBuildPage } from './new-build-page.tsx';
import { pipelineEvents, pipelinePage } from './pipeline-page.tsx';
import { agentPage, artifactFile, webhookPage } from './small-pages.tsx';
import { statsPage } from './stats-page.tsx';

export type PageServer = ReturnType<typeof createPageServer>;

export function createPageServer(service: ServiceContext, api: readonly Route[]) {
  const sessions = createSessions(() => service.clock.now());
  const sendOnce = createSentForms();
  const streams = createStreamLimit();
  const { base } = service.urls;
  const port = Number(new URL(base).port);
  const apiOf = sessionApis({ service, adminToken: '' }, api);

  return {
    createCode: (call: Call) => createCode(service, sessions, call),
    async serve(name: PageName, call: Call): Promise<RouteResponse> {
      const known = signedIn({ service, sessions, port }, call);
      try {
        if (name === 'asset') return assetFile((call as Call<'file'>).params.file);
        if (name === 'signIn')
          return await signIn(sessions, call, { port, isSignedIn: known !== undefined });
        if (known === undefined) throw new ApiError(401, 'You are not signed in');
        return await serveSigned(name, call, known);
      } catch (error) {
        const name = known?.caller.user?.name ?? '';
        return errorPage(error, call, known && { name, formToken: known.session.formToken });
      }
    },
  };

  async function serveSigned(name: Signed, call: Call, known: SignedIn): Promise<RouteResponse> {
    const { session, caller } = known;
    const { formToken } = session;
    if (name === 'other') throw noPage(service, caller, call);
    const isForm = pagePaths[name][0] === 'POST';
    const form = isForm ? await readForm(call, session) : new URLSearchParams();
    if (name === 'signOut') {
      known.signOut();
      return seeOther('/', { 'set-cookie': sessionCookie(port, '', 0) });
    }
    const { params, query, signal } = call;
    const link = (address: string | null | undefined) => ownLink(base, address);
    const context = { now: service.clock.now(), link, formToken, once: randomUUID() };
    const header = (one: string) => call.header(one);
    const pageCall: PageCall = {
      ...{ service, caller, params, query, header, signal, form, context, api: apiOf(caller) },
    };
    const sent = { session, path: call.url.pathname, form };
    const isStream = name.endsWith('Events') && !call.isHead;
    const ended = isStream ? streams.take(session, call.signal) : undefined;
    try {
      const result = await sendOnce(sent, () => pageHandlers[name](pageCall));
      const isOver = (): boolean => known.isOver();
      return withinSession(framed(result, pageCall), { formToken, isOver, ended });
    } catch (error) {
      ended?.();
      throw error;
    }
  }
}

/** The pages that require a session. */
type Signed = Exclude<PageName, 'asset' | 'signIn'>;

const pageHandlers: Readonly<
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
