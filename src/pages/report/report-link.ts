/** An address of the web without user and password; undefined for any other. */
export function reportLink(address: string | null | undefined): string | undefined {
  const url = URL.canParse(address ?? '') ? new URL(address ?? '') : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}
