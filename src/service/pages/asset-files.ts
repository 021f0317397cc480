/** Style sheet, script and picture of the pages, each at an address with a hash of what it is. */
import { createHash } from 'node:crypto';
import { pageIcon, pageScript, pageStyleSheet } from '../../pages/assets/assets.ts';
import { ApiError } from '../http/api-error.ts';
import { bytes, type RouteResponse } from '../http/response.ts';

const folder = '/-/assets/';

const files = new Map<string, { readonly type: string; readonly text: string }>();

/** Where the pages load them from. */
export const assetAddresses = {
  styleHref: add('style', 'css', 'text/css; charset=utf-8', pageStyleSheet),
  scriptHref: add('script', 'js', 'text/javascript; charset=utf-8', pageScript),
  iconHref: add('icon', 'svg', 'image/svg+xml; charset=utf-8', pageIcon),
};

/** The file of that name. Throws `ApiError` 404. */
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
  return folder + name;
}
