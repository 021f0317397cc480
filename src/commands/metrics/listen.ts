/** A scrape endpoint for Prometheus. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aborted } from '../../abort.ts';
import type { Client } from '../../api/client.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { parseListen, type ListenAddress } from './address.ts';
import { exported } from './print.ts';
import { onlyQueues } from './rows.ts';

/**
 * Serves `GET /metrics` until the signal ends it, then throws its reason. The first look comes
 * before the port is opened, so that a wrong token is told at once. Code 10 when the port is taken.
 */
export async function serveMetrics(
  address: string,
  queues: readonly string[],
  context: Context,
): Promise<never> {
  const place = parseListen(address);
  const look = cachedLook(await context.client(), context, queues);
  await look();
  const server = createServer((request, response) => {
    void answer(request, response, { look, secrets: context.secrets });
  });
  await open(server, place);
  const { port } = server.address() as AddressInfo;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  context.messages.note(`serving http://${host}:${port}/metrics; Ctrl-C ends it`);
  try {
    return await aborted(context.signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The exposition; asked for anew only after the time that the service wants between two looks. */
export function cachedLook(
  { metrics: api }: Pick<Client, 'metrics'>,
  { clock }: Pick<Context, 'clock'>,
  queues: readonly string[],
): () => Promise<string> {
  let text: Promise<string> | undefined;
  let until = 0;
  const look = async (): Promise<string> => {
    const { metrics, pollDuration } = await api.get();
    until = clock.now() + pollDuration;
    return exported(onlyQueues(metrics, queues), { format: 'prometheus', queues }) ?? '';
  };
  return async () => {
    if (clock.now() < until && text !== undefined) return text;
    until = Infinity;
    text = look();
    try {
      return await text;
    } catch (error) {
      until = 0;
      throw error;
    }
  };
}

interface Scraped {
  readonly look: () => Promise<string>;
  /** Whoever scrapes has no token, and is not to learn one from a message. */
  readonly secrets: Context['secrets'];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scraped: Scraped,
): Promise<void> {
  const [status, text] = await statusAndText(request, scraped);
  response.writeHead(status, { 'content-type': contentType }).end(text);
}

async function statusAndText(
  { method = '', url = '' }: IncomingMessage,
  { look, secrets }: Scraped,
): Promise<[number, string]> {
  if (method !== 'GET' && method !== 'HEAD') return [405, 'only GET\n'];
  if (url.split('?')[0] !== '/metrics') return [404, 'it is at /metrics\n'];
  try {
    return [200, await look()];
  } catch (error) {
    return [502, `${secrets.redact(error instanceof Error ? error.message : String(error))}\n`];
  }
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

const open = (server: Server, { host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'the port is in use' : cause.message;
      const message = `cannot listen on ${host}:${port}: ${why}`;
      reject(new CictlError('machine', message, { cause, hint: 'choose another port' }));
    });
    server.listen(port, host, resolve);
  });
