import { pageDocument, type PageDocument } from '../../pages/page-document.tsx';
import { pageHeaders } from '../http/page-headers.ts';
import { bytes, type RouteResponse } from '../http/response.ts';
import { assetAddresses } from './asset-files.ts';
import type { PageCall, PageContent, PageResult } from './page-call.ts';

/** The response for what a handler has made. */
export function framed(result: PageResult, call: PageCall): RouteResponse {
  if ('headers' in result) return result;
  if ('location' in result)
    return { status: 303, headers: { ...pageHeaders, location: result.location }, body: null };
  const { formToken } = call.context;
  const name = call.caller.user?.name ?? '';
  return pageResponse(result, formToken === undefined ? undefined : { name, formToken });
}

/** Who is signed in, as the frame shows it. */
export type PageUser = NonNullable<PageDocument['user']>;

/** `user` is left out where nobody is signed in. */
export function pageResponse(
  { status = 200, title, crumbs, live, body }: PageContent,
  user?: PageUser,
): RouteResponse {
  const start = { text: 'cictl', href: '/' };
  const html = pageDocument({
    ...{ title, user, live, body },
    crumbs: [start, ...crumbs],
    assets: assetAddresses,
  });
  return bytes('text/html; charset=utf-8', html, { status, headers: pageHeaders });
}
