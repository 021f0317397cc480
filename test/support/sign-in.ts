/** A browser's session at the pages of the built-in service, without a browser. */

/** Looks at a path of the service, or at an address of it, as who has the cookie. */
export type Browse = (path: string, init?: RequestInit) => Promise<Response>;

/** What a browser says that it takes. */
export const asBrowser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};

interface ServiceAccess {
  readonly url: string;
  readonly adminToken: string;
}

/** Signs in as the owner, or as the user of an API token. Redirects are not followed. */
export async function signIn({ url, adminToken }: ServiceAccess, token?: string): Promise<Browse> {
  const response = await fetch(`${url}/local/v1/sign-in-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify(token === undefined ? {} : { token }),
  });
  const { path } = (await response.json()) as { path: string };
  return follow(url + path);
}

/** Exchanges the address that signs in for a session. */
export async function follow(address: string): Promise<Browse> {
  const { headers, status } = await fetch(address, { headers: asBrowser, redirect: 'manual' });
  const [cookie] = (headers.get('set-cookie') ?? '').split(';');
  if (status !== 303 || !cookie) throw new Error(`${address} signs nobody in: ${status}`);
  return (path, init = {}) =>
    fetch(new URL(path, address), {
      redirect: 'manual',
      ...init,
      headers: { ...asBrowser, cookie, ...(init.headers as Record<string, string> | undefined) },
    });
}
