/**
 * A small strict HTTP server that expects given requests in a given order. A request that is
 * unexpected or missing fails the test.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';

export interface Exchange {
  /** Default: GET. */
  readonly method?: string;
  /** Path and query exactly as sent, or a pattern. */
  readonly path: string | RegExp;
  /** Required header values; null means that the header must be absent. Lower-case names. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** An object is compared as JSON, a string byte for byte. */
  readonly body?: unknown;
  readonly answer?: CannedResponse;
}

export interface CannedResponse {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array;
  /**
   * `hang` never responds, `reset` closes the connection before responding, `truncate` sends half
   * of the body with the full length and closes the connection, `stall` sends half and then
   * nothing.
   */
  readonly fault?: 'hang' | 'reset' | 'truncate' | 'stall';
  /**
   * Bytes written to the socket instead of an HTTP response; the connection is closed afterwards.
   */
  readonly raw?: string | Uint8Array;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface StrictServer {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  /** The requests received so far. */
  readonly requests: readonly Seen[];
  /** Closes the server. Throws once if a request was unexpected or missing. */
  finish(): Promise<void>;
}

export interface ServeOptions {
  /**
   * Allows the client to stop early, for example because of a timeout: how far it gets depends on
   * the machine. Additional or different requests still fail the test.
   */
  readonly atMost?: boolean;
}

/** Serves the exchanges in order until the current test has finished, then checks them. */
export async function serve(
  exchanges: readonly Exchange[] | ((url: string) => readonly Exchange[]),
  { atMost = false }: ServeOptions = {},
): Promise<StrictServer> {
  const requests: Seen[] = [];
  const errors: unknown[] = [];
  let expected: readonly Exchange[] = [];
  const server = createServer((request, response) => {
    void take(request, response).catch((fault: unknown) => {
      errors.push(fault);
      response.writeHead(500).end('this request was not expected');
    });
  });
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await read(request);
    const exchange = expected[requests.length];
    requests.push(seen);
    check(seen, exchange);
    give(response, exchange?.answer ?? {});
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expected = typeof exchanges === 'function' ? exchanges(url) : exchanges;
  let finished = false;
  const finish = async (): Promise<void> => {
    if (finished) return;
    finished = true;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    if (errors.length > 0) throw errors[0];
    if (!atMost) expect(requests.map(line), 'requests that came').toHaveLength(expected.length);
  };
  onTestFinished(finish);
  return { url, requests, finish };
}

async function read(request: IncomingMessage): Promise<Seen> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: Buffer.concat(chunks).toString() };
}

function check(seen: Seen, exchange: Exchange | undefined): void {
  if (exchange === undefined) throw new Error(`unexpected request: ${line(seen)}`);
  const { method = 'GET', path, headers = {}, body } = exchange;
  expect(line(seen)).toBe(`${method} ${typeof path === 'string' ? path : seen.path}`);
  if (path instanceof RegExp) expect(seen.path).toMatch(path);
  for (const [name, value] of Object.entries(headers)) {
    expect(seen.headers[name] ?? null, `header ${name} of ${line(seen)}`).toBe(value);
  }
  if (typeof body === 'string') expect(seen.body).toBe(body);
  else if (body !== undefined) expect(JSON.parse(seen.body)).toEqual(body);
}

function give(response: ServerResponse, answer: CannedResponse): void {
  if (answer.fault === 'hang') return;
  if (answer.fault === 'reset') return void response.socket?.resetAndDestroy();
  if (answer.raw !== undefined) return void response.socket?.end(answer.raw);
  const body = Buffer.from(answer.body ?? (answer.json === undefined ? '' : json(answer.json)));
  response.writeHead(answer.status ?? 200, head(answer, body.length));
  if (answer.fault === undefined) return void response.end(body);
  response.write(body.subarray(0, body.length >> 1), () => {
    if (answer.fault === 'truncate') response.socket?.destroy();
  });
}

const head = (answer: CannedResponse, length: number): Record<string, string | string[]> => ({
  'content-type': answer.json === undefined ? 'text/plain' : 'application/json; charset=utf-8',
  // A 204 response must not have this header.
  ...(answer.status === 204 ? {} : { 'content-length': String(length) }),
  ...Object.fromEntries(Object.entries(answer.headers ?? {}).map(([k, v]) => [k, both(v)])),
});

const both = (value: string | readonly string[]): string | string[] =>
  typeof value === 'string' ? value : [...value];

const json = (value: unknown): string => JSON.stringify(value);
const line = (seen: Seen): string => `${seen.method} ${seen.path}`;
