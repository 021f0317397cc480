/**
 * A service with a long list of builds in small pages, newest first, like the public service:
 * `created_to` excludes newer builds, and a new build shifts the others to later positions.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LongList {
  readonly url: string;
  /** Path and query of each request, as received. */
  readonly requests: readonly string[];
  /** The maximum number of concurrent requests. */
  readonly most: () => number;
  /** Creates the next build, a second or `ms` later. */
  create(ms?: number): void;
}

export interface LongListOptions {
  /** The initial number of builds. Default 20. */
  readonly count?: number;
  /** Builds per page. Default 2. */
  readonly perPage?: number;
  /** Whether `created_to` has no effect. */
  readonly ignoresBound?: boolean;
  /** Additional fields of build N. */
  readonly members?: (number: number) => object;
  /** The message of each build. Default: none. */
  readonly text?: string;
  /**
   * The `Link` header, or undefined for none. Defaults to `next` and `last` with the full query.
   */
  readonly link?: (page: PageRequest) => string | undefined;
  /** Awaited before a page is served. If it sends a response itself, the page is not served. */
  before?(page: PageRequest, response: ServerResponse): Promise<void> | void;
  readonly headers?: (page: PageRequest) => Record<string, string>;
}

export interface PageRequest {
  /** From 1. */
  readonly number: number;
  readonly last: number;
  readonly address: URL;
  /** The URL of a page of the same list. */
  readonly at: (number: number) => string;
}

const start = Date.parse('2026-01-01T00:00:00.000Z');

export async function longList(options: LongListOptions = {}): Promise<LongList> {
  const builds = Array.from({ length: options.count ?? 20 }, (_, index) => ({
    id: `b-${index + 1}`,
    number: index + 1,
    created_at: new Date(start + index * 1000).toISOString(),
    ...(options.text !== undefined && { message: options.text }),
    ...options.members?.(index + 1),
  })).reverse();
  const { perPage = 2 } = options;
  const requests: string[] = [];
  let [open, most] = [0, 0];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
    void give(request, response);
  });
  async function give(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = pageOf(request, builds.length, perPage);
    await options.before?.(page, response);
    if (response.headersSent) return;
    const bound = page.address.searchParams.get('created_to');
    const createdTo = options.ignoresBound === true ? null : bound;
    const shown = builds.filter((build) => createdTo === null || build.created_at < createdTo);
    const link = (options.link ?? nextAndLast)(page);
    response.writeHead(200, { ...(link && { link }), ...options.headers?.(page) });
    response.end(JSON.stringify(shown.slice((page.number - 1) * perPage, page.number * perPage)));
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    most: () => most,
    create(ms = 1000) {
      const number = builds.length + 1;
      const newest = Date.parse(builds[0]?.created_at ?? '');
      const created_at = new Date(newest + ms).toISOString();
      builds.unshift({ id: `b-${number}`, number, created_at });
    },
  };
}

function pageOf(
  { url = '', headers }: IncomingMessage,
  count: number,
  perPage: number,
): PageRequest {
  const address = new URL(url, `http://${headers.host ?? ''}`);
  const at = (number: number): string => {
    const other = new URL(address);
    other.searchParams.set('page', String(number));
    return other.href;
  };
  const number = Number(address.searchParams.get('page') ?? 1);
  return { number, last: Math.ceil(count / perPage), address, at };
}

export const nextAndLast = ({ number, last, at }: PageRequest): string | undefined =>
  number < last ? `<${at(number + 1)}>; rel="next", <${at(last)}>; rel="last"` : undefined;

/** Resolves for all callers once `count` of them have called. */
export function meeting(count: number): () => Promise<void> {
  let [came, open] = [0, (): void => undefined];
  const full = new Promise<void>((resolve) => (open = resolve));
  return () => {
    came += 1;
    if (came === count) open();
    return full;
  };
}
