import { createHash } from 'node:crypto';
import { pageDocument, type PageDocument } from '../../pages/page-document.tsx';
import { pageHeaders } from '../http/html.ts';
import { bytes, type RouteResponse } from '../http/response.ts';
import type { PageCall, PageContent, PageResult } from './page-call.ts';
import { pageIcon, pageScript, pageStyleSheet } from '../../pages/assets/assets.ts';
import { ApiError } from '../http/api-error.ts';

export function framed(result: PageResult, call: PageCall): RouteResponse {
  if ('headers' in result) return result;
  if ('location' in result) return seeOther(result.location);
  const { formToken } = call.context;
  const name = call.caller.user?.name ?? '';
  return pageResponse(result, formToken === undefined ? undefined : { name, formToken });
}

export const seeOther = (location: string, headers: RouteResponse['headers'] = {}) => ({
  ...{ status: 303, headers: { ...pageHeaders, ...headers, location }, body: null },
});

export type PageUser = NonNullable<PageDocument['user']>;

/** `user` is undefined if no user is signed in. */
export function pageResponse(
  { status = 200, title, crumbs, live, body }: PageContent,
  user?: PageUser,
): RouteResponse {
  const html = pageDocument({
    ...{ title, user, live, body, assets: assetAddresses },
    crumbs: [{ text: 'cictl', href: '/' }, ...crumbs],
  });
  return bytes('text/html; charset=utf-8', html, { status, headers: pageHeaders });
}

// The URLs of assets contain a hash, so browsers can cache the assets forever.

const files = new Map<string, { readonly type: string; readonly text: string }>();

const assetAddresses = {
  styleHref: add('style', 'css', 'text/css; charset=utf-8', pageStyleSheet),
  scriptHref: add('script', 'js', 'text/javascript; charset=utf-8', pageScript),
  iconHref: add('icon', 'svg', 'image/svg+xml; charset=utf-8', pageIcon),
};

/** Throws `ApiError` 404 if the asset does not exist. */
export function assetFile(name: string): RouteResponse {
  const file = files.get(name);
  if (file === undefined) throw new ApiError(404, 'Not Found');
  const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
  return bytes(file.type, file.text, { headers });
}

function add(stem: string, ending: string, type: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const name = `${stem}-${hash}.${ending}`;
  files.set(name, { type, text });
  return `/-/assets/${name}`;
}
