import { accepts, readsJson } from '../http/accept.ts';
import { route, type Call, type Route } from '../http/route.ts';
import type { ServiceContext } from '../service-context.ts';
import { pagePaths, type PageName } from './page-paths.ts';
import type { PageServer } from './page-server.ts';
import { refuse, refuseApi } from './refuse-api.ts';

/**
 * The routes of the pages, last of all: what they take for an organization is all that is left.
 * `api` are the routes that pages read and change things by, in the name of who is signed in.
 */
export function pageRoutes(api: readonly Route[], adminToken: string): readonly Route[] {
  let server: Promise<PageServer> | undefined;
  const serverOf = (service: ServiceContext): Promise<PageServer> =>
    (server ??= import('./page-server.ts').then(({ createPageServer }) =>
      createPageServer(service, api),
    ));
  const serve = async (name: PageName, call: Call, service: ServiceContext) => {
    if (name === 'other' && readsJson(call)) refuse(call, service, adminToken);
    refuseApi(call, service, adminToken);
    return (await serverOf(service)).serve(name, call);
  };
  const pages = Object.entries(pagePaths).map(([name, [method, path]]) =>
    route(method, path, null, (call, service) => serve(name as PageName, call, service), open),
  );
  const others = changing.map((method) =>
    route(
      method,
      '/*',
      null,
      (call, service) =>
        accepts(call, 'text/html')
          ? serve('other', call, service)
          : refuse(call, service, adminToken),
      open,
    ),
  );
  const codes = route(
    'POST',
    '/local/v1/sign-in-codes',
    null,
    async (call, service) => (await serverOf(service)).createCode(call),
    { audience: 'admin' },
  );
  return [codes, ...pages, ...others];
}

const open = { audience: 'open' } as const;

/** What changes something is for programs, unless a browser says that it shows pages. */
const changing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
