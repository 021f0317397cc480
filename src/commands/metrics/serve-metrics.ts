/** A scrape endpoint for Prometheus. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aborted } from '../../common/abort.ts';
import type { Client } from '../../api/client.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { exported, onlyQueues } from './exports.ts';

/**
 * Serves `GET /metrics` until the signal aborts, then throws its reason. Scrapes once before it
 * opens the port, to report an invalid token immediately. Exit code 10 if the port is in use.
 */
export async function serveMetrics(
  address: string,
  queues: readonly string[],
  context: Context,
): Promise<never> {
  const parsed = parseListenAddress(address);
  const scrape = cachedScrape(await context.client(), context, queues);
  await scrape();
  const server = createServer((request, response) => {
    void respond(request, response, { scrape, secrets: context.secrets });
  });
  await open(server, parsed);
  const { port } = server.address() as AddressInfo;
  const host = parsed.host.includes(':') ? `[${parsed.host}]` : parsed.host;
  context.messages.note(`serving http://${host}:${port}/metrics; press Ctrl-C to stop`);
  try {
    return await aborted(context.signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Caches the metrics text for the polling interval that the service requires. */
export function cachedScrape(
  { metrics: api }: Pick<Client, 'metrics'>,
  { clock }: Pick<Context, 'clock'>,
  queues: readonly string[],
): () => Promise<string> {
  let text: Promise<string> | undefined;
  let until = 0;
  const scrape = async (): Promise<string> => {
    const { metrics, pollDuration } = await api.get();
    until = clock.now() + pollDuration;
    return exported(onlyQueues(metrics, queues), { format: 'prometheus', queues }) ?? '';
  };
  return async () => {
    if (clock.now() < until && text !== undefined) return text;
    until = Infinity;
    text = scrape();
    try {
      return await text;
    } catch (error) {
      until = 0;
      throw error;
    }
  };
}

interface Scraped {
  readonly scrape: () => Promise<string>;
  /** Used to redact messages, because scrapers must not see a token. */
  readonly secrets: Context['secrets'];
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  scraped: Scraped,
): Promise<void> {
  const [status, text] = await statusAndText(request, scraped);
  response.writeHead(status, { 'content-type': contentType }).end(text);
}

async function statusAndText(
  { method = '', url = '' }: IncomingMessage,
  { scrape, secrets }: Scraped,
): Promise<[number, string]> {
  if (method !== 'GET' && method !== 'HEAD') return [405, 'only GET is allowed\n'];
  if (url.split('?')[0] !== '/metrics') return [404, 'not found; metrics are at /metrics\n'];
  try {
    return [200, await scrape()];
  } catch (error) {
    return [502, `${secrets.redact(error instanceof Error ? error.message : String(error))}\n`];
  }
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

const open = (server: Server, { host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'the port is in use' : cause.message;
      const message = `cannot listen on ${host}:${port}: ${reason}`;
      reject(new CictlError('machine', message, { cause, hint: 'cictl metrics --listen 0' }));
    });
    server.listen(port, host, resolve);
  });

interface ListenAddress {
  readonly host: string;
  /** If 0, any free port is used. */
  readonly port: number;
}

/** Accepts `9100`, `0.0.0.0:9100` and `[::1]:9100`. The default host is the loopback address. */
export function parseListenAddress(text: string): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]:|([^:[\]]*):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw usageError(`--listen must be [HOST:]PORT, not ${JSON.stringify(text)}`);
  }
  return { host: bracketed ?? (plain || '127.0.0.1'), port };
}
