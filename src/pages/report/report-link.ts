/**
 * Where an address that a service gave leads from a file: on the web, without user and password;
 * undefined for any other. `base`: what it is relative to.
 */
export function reportLink(
  address: string | null | undefined,
  base?: string | null,
): string | undefined {
  const url = parsed(address ?? '', base ?? undefined);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

const parsed = (address: string, base: string | undefined): URL | undefined =>
  address !== '' && URL.canParse(address, base) ? new URL(address, base) : undefined;
