/** A browser's session with the built-in service, without a browser. */

/** Requests a path or URL of the service with the session's cookie. */
export type Browse = (path: string, init?: RequestInit) => Promise<Response>;

/** The headers that a browser sends. */
export const asBrowser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
};

interface ServiceAccess {
  readonly url: string;
  readonly adminToken: string;
}

/** Signs in as the owner or with an API token. Does not follow redirects. */
export async function signIn({ url, adminToken }: ServiceAccess, token?: string): Promise<Browse> {
  const response = await fetch(`${url}/local/v1/sign-in-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify(token === undefined ? {} : { token }),
  });
  const { path } = (await response.json()) as { path: string };
  return follow(url + path);
}

/** Exchanges a sign-in link for a session. */
export async function follow(address: string): Promise<Browse> {
  const { headers, status } = await fetch(address, { headers: asBrowser, redirect: 'manual' });
  const [cookie] = (headers.get('set-cookie') ?? '').split(';');
  if (status !== 303 || !cookie) throw new Error(`cannot sign in with ${address}: ${status}`);
  return (path, init = {}) =>
    fetch(new URL(path, address), {
      redirect: 'manual',
      ...init,
      headers: { ...asBrowser, cookie, ...(init.headers as Record<string, string> | undefined) },
    });
}
