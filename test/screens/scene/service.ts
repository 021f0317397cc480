/** A service that responds from a list of routes, the same each time. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The parts of a request that a route needs. */
export interface RouteCall {
  /** The parts of the path that the route's parentheses match. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Elements of a list, of which one page is sent. */
export interface Paged {
  readonly pageOf: readonly object[];
}

/** `METHOD PATH`, and the response: JSON, text, a page of a list, or null for 204. */
export type Route = readonly [string, (found: RouteCall) => object | string | null | undefined];

export interface SceneService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startScene(routes: readonly Route[]): Promise<SceneService> {
  const server = createServer((request, response) => void answer(request, response, routes));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: readonly Route[],
) {
  request.resume();
  await once(request, 'end');
  const { pathname, searchParams } = new URL(
    request.url ?? '/',
    `http://${request.headers.host ?? ''}`,
  );
  const value = valueOf(`${request.method ?? ''} ${pathname}`, searchParams, routes);
  if (value === undefined) send(response, 404, { message: 'Not RouteCall' });
  else if (value === null) response.writeHead(204).end();
  else if (typeof value === 'string')
    response.writeHead(200, { 'content-type': 'text/plain' }).end(value);
  else if ('pageOf' in value)
    sendPage(response, (value as Paged).pageOf, request.url ?? '', request);
  else send(response, 200, value);
}

function valueOf(line: string, query: URLSearchParams, routes: readonly Route[]) {
  for (const [pattern, value] of routes) {
    const match = new RegExp(`^${pattern}$`).exec(line);
    if (match)
      return value({ parts: match.slice(1).map((part: string | undefined) => part ?? ''), query });
  }
  return undefined;
}

/** With links to the neighboring pages, like the public service. */
function sendPage(
  response: ServerResponse,
  all: readonly object[],
  path: string,
  { headers }: IncomingMessage,
) {
  const url = new URL(path, `http://${headers.host ?? ''}`);
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.ceil(all.length / size);
  const link = (number: number, rel: string): string => {
    url.searchParams.set('page', String(number));
    return `<${url.href}>; rel="${rel}"`;
  };
  if (page < last)
    response.setHeader('link', [link(page + 1, 'next'), link(last, 'last')].join(', '));
  send(response, 200, all.slice((page - 1) * size, page * size));
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
