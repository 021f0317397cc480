/** Sends requests to the pages of a service like a browser. */
import type { Counterpart, Reply, Sending } from './counterpart.ts';

export const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

export interface Browser {
  /** `NAME=SECRET`. */
  readonly cookie: string;
  get(path: string, sending?: Sending): Promise<Reply>;
  /** Submits a form, with the token of its session unless the fields contain one. */
  submit(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Reply>;
}

/** A signed-in browser, as the owner of the service or with a token's permissions. */
export async function signIn(
  service: Counterpart,
  { token }: { token?: string } = {},
): Promise<Browser> {
  const { path } = await service.admin('POST', '/sign-in-codes', { token });
  const reply = await service.get(String(path), { token: null, headers: { accept } });
  const [cookie = ''] = String(reply.headers['set-cookie']).split(';');
  return browserWith(service, cookie);
}

/** A browser with this cookie, valid or not. */
export function browserWith(service: Counterpart, cookie: string): Browser {
  const get = (path: string, { headers, ...sending }: Sending = {}) =>
    service.get(path, { token: null, headers: { accept, cookie, ...headers }, ...sending });
  return {
    cookie,
    get,
    async submit(path, fields = {}, headers = {}) {
      const form_token = fields['form_token'] ?? formTokenOf(await get('/'));
      return get(path, {
        method: 'POST',
        raw: new URLSearchParams({ ...fields, form_token }).toString(),
        headers: { ...formHeaders, ...headers },
      });
    },
  };
}

/** With `no-referrer`, a browser hides the origin of a form but still sends where it comes from. */
const formHeaders = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'null',
  'sec-fetch-site': 'same-origin',
};

/** The hidden fields of a page's forms. */
export const formTokenOf = ({ text }: Reply): string =>
  /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
