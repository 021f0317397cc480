/** The picture of an organization's own emoji: an address elsewhere, or data that is kept here. */

const types = ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/svg+xml'];
/** Characters of a data address: about a megabyte of picture. */
const longest = 1_400_000;

export interface Picture {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

export const isDataUrl = (url: string): boolean => url.startsWith('data:');

/** The picture in `data:image/png;base64,…`; undefined where it is none that is served here. */
export function pictureOf(url: string): Picture | undefined {
  if (url.length > longest) return undefined;
  const [, type = '', content = ''] =
    /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? [];
  return types.includes(type) ? { type, content: Buffer.from(content, 'base64') } : undefined;
}

/** Whether an emoji may have it. */
export function isPictureUrl(url: string): boolean {
  if (isDataUrl(url)) return pictureOf(url) !== undefined;
  return /^https?:\/\/[^\s/]/.test(url) && URL.canParse(url);
}
