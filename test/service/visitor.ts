/** Reads the pages like a signed-in browser without scripts. */
import { request } from 'node:http';
import type { Counterpart, Reply, Sending } from './counterpart.ts';

export interface Visitor {
  /** GETs a page; returns only the URL of a redirect. */
  get(path: string): Promise<Reply>;
  /** Submits a form with the session's token; a repeated name has a list. */
  submit(path: string, fields?: Fields): Promise<Reply>;
  /** The events of a URL, one by one; `stop` closes the connection. */
  events(path: string): Promise<EventReader>;
}

export interface EventReader {
  next(): Promise<PageEvent>;
  stop(): void;
}

export interface PageEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly id: string; readonly html: string };
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/**
 * `token`: acts with the permissions of that API token. If omitted, acts as the service's owner.
 */
export async function visitorOf(service: Counterpart, token?: string): Promise<Visitor> {
  const { path } = await service.admin('POST', '/sign-in-codes', { token });
  const { headers } = await service.send(String(path), { token: null });
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  const send = (to: string, sending: Sending = {}): Promise<Reply> =>
    service.send(to, { ...sending, token: null, headers: { cookie, ...sending.headers } });
  const formToken = async (): Promise<string> =>
    /name="form_token" value="([^"]+)"/.exec((await send('/')).text)?.[1] ?? '';
  return {
    get: (to) => send(to, { headers: { accept: 'text/html' } }),
    submit: async (to, fields = {}) =>
      send(to, {
        method: 'POST',
        raw: formText({ ...fields, form_token: await formToken() }),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    events: (to) => readEvents(new URL(service.url + to), cookie),
  };
}

function formText(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one);
  return form.toString();
}

function readEvents(url: URL, cookie: string): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url.pathname}: ${response.statusCode}`));
      response.setEncoding('utf8');
      const events = eventsOf(response as AsyncIterable<string>);
      resolve({
        next: async () => (await events.next()).value as PageEvent,
        stop: () => void call.destroy(),
      });
    });
    call.on('error', reject).end();
  });
}

async function* eventsOf(pieces: AsyncIterable<string>): AsyncGenerator<PageEvent> {
  let rest = '';
  for await (const piece of pieces) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      if (field('event') === '') continue;
      const data = JSON.parse(field('data')) as PageEvent['data'];
      yield { id: field('id'), event: field('event'), data };
    }
  }
}
