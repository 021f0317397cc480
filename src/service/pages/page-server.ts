/** Serves the pages: who asks, what for, and the frame around it. */
import type { Call, Caller, Route } from '../http/route.ts';
import { ApiError } from '../http/api-error.ts';
import type { RouteResponse } from '../http/response.ts';
import type { ServiceContext } from '../service-context.ts';
import { assetFile } from './asset-files.ts';
import { readSessionCookie, sessionCookie } from './cookie.ts';
import { errorPage } from './error-page.tsx';
import { readForm } from './form.ts';
import { framed } from './framed.ts';
import type { PageCall } from './page-call.ts';
import { pageHandlers } from './page-handlers.ts';
import { pagePaths, type PageName } from './page-paths.ts';
import { sessionApis } from './session-api.ts';
import { sessionCaller } from './session-caller.ts';
import { withinSession } from './session-stream.ts';
import { createSessions, type Session } from './sessions.ts';
import { createCode, signIn } from './sign-in.ts';

export interface PageServer {
  serve(name: PageName, call: Call): Promise<RouteResponse>;
  createCode(call: Call): Promise<RouteResponse>;
}

export function createPageServer(service: ServiceContext, api: readonly Route[]): PageServer {
  const sessions = createSessions(() => service.clock.now());
  const port = Number(new URL(service.urls.base).port);
  const callerOf = (session: Session) => sessionCaller(service, session);
  const apiOf = sessionApis({ service, adminToken: '' }, api);

  return {
    createCode: (call) => createCode(service, sessions, call),
    async serve(name, call) {
      if (name === 'asset') return assetFile((call as Call<'file'>).params.file);
      try {
        return name === 'signIn' ? signIn(sessions, call, port) : await serveSigned(name, call);
      } catch (error) {
        return errorPage(error, call);
      }
    },
  };

  async function serveSigned(name: Exclude<PageName, 'asset' | 'signIn'>, call: Call) {
    const secret = readSessionCookie(port, call.header('cookie')) ?? '';
    const session = sessions.find(secret);
    const caller = session && callerOf(session);
    if (session === undefined || caller === undefined) throw new ApiError(401, 'Not signed in');
    const form = pagePaths[name][0] === 'POST' ? await checkedForm(call, session) : noForm;
    if (name === 'signOut') {
      sessions.remove(secret);
      const headers = { location: '/', 'set-cookie': sessionCookie(port, '', 0) };
      return { status: 303, headers, body: null };
    }
    const pageCall = pageCallOf(call, { session, caller, form });
    return withinSession(framed(await pageHandlers[name](pageCall), pageCall), {
      formToken: session.formToken,
      isOver: () => sessions.find(secret) === undefined || callerOf(session) === undefined,
    });
  }

  function pageCallOf(call: Call, { session, caller, form }: Signed): PageCall {
    const { params, query, signal } = call;
    const context = {
      now: service.clock.now(),
      link: (address: string | null | undefined) => ownLink(service.urls.base, address),
      formToken: session.formToken,
    };
    const header = (name: string) => call.header(name);
    return {
      ...{ service, caller, params, query, header, signal, form, context },
      api: apiOf(caller),
    };
  }
}

interface Signed {
  readonly session: Session;
  readonly caller: Caller;
  readonly form: URLSearchParams;
}

const noForm = new URLSearchParams();

async function checkedForm(call: Call, { formToken }: Session): Promise<URLSearchParams> {
  const form = await readForm(call);
  if (form.get('form_token') !== formToken)
    throw new ApiError(403, 'This form is of another session: load its page again');
  return form;
}

/** Pages lead to paths: a browser may know the service as localhost, where its cookie is. */
function ownLink(base: string, address: string | null | undefined): string | undefined {
  if (address === null || address === undefined || address === '') return undefined;
  if (address.startsWith(`${base}/`)) return address.slice(base.length);
  return /^https?:\/\//i.test(address) ? address : undefined;
}
