/**
 * Where an address of the API leads from a page: a path, as a browser may know the service as localhost,
 * where its cookie is. Undefined for what is not of the web.
 */
export function ownLink(base: string, address: string | null | undefined): string | undefined {
  if (address === null || address === undefined) return undefined;
  const path = address.startsWith(`${base}/`) ? address.slice(base.length) : undefined;
  // Two slashes would begin the name of another host.
  if (path !== undefined && !/^\/[/\\]/.test(path)) return path;
  return /^https?:\/\//i.test(address) ? address : undefined;
}
