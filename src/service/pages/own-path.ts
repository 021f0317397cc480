/** A path of this service, whatever was asked for: `//elsewhere` and `/\elsewhere` are none. */
export function ownPath(to: string | null): string {
  const own = 'http://own.invalid';
  const url = to?.startsWith('/') && URL.canParse(to, own) ? new URL(to, own) : undefined;
  if (url?.origin !== own || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
