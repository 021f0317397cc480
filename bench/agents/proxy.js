/** A network between agents and a service that may lose, delay and repeat requests. */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The fate of a request: it passes (undefined), never arrives (`lost`), is handled but its response
 * is lost (`unheard`), arrives twice (`repeated`), or is delayed by this many milliseconds.
 *
 * @typedef {'lost' | 'unheard' | 'repeated' | number | undefined} Fate
 * @param {string} target `http://HOST:PORT`
 * @param {(method: string, path: string) => Fate} fateOf
 */
export async function startProxy(target, fateOf = () => undefined) {
  const agent = new Agent({ keepAlive: true });
  const state = { target: new URL(target), agent, fateOf, isCut: false, counts: {} };
  const server = createServer((from, to) => {
    pass(state, from, to).catch(() => to.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** The number of requests by fate. */
    counts: state.counts,
    /** Breaks open connections and blocks everything until reconnected. */
    cut: () => {
      state.isCut = true;
      server.closeAllConnections();
    },
    join: () => (state.isCut = false),
    /** Sets the target after the service has restarted with another URL. @param {string} url */
    lead: (url) => (state.target = new URL(url)),
    close: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

async function pass(state, from, to) {
  const body = await buffer(from);
  const fate = state.isCut ? 'lost' : state.fateOf(from.method, from.url);
  if (fate !== undefined) count(state, typeof fate === 'number' ? 'late' : fate);
  if (fate === 'lost') return void to.destroy();
  if (typeof fate === 'number') await sleep(fate);
  if (fate === 'repeated') await forward(state, from, body);
  const reply = await forward(state, from, body);
  if (fate === 'unheard' || state.isCut) return void to.destroy();
  to.writeHead(reply.status, reply.headers).end(reply.body);
}

const count = ({ counts }, fate) => (counts[fate] = (counts[fate] ?? 0) + 1);

async function forward({ target, agent }, { method, url, headers }, body) {
  // The service only accepts its own host name.
  const sent = request(new URL(url, target), {
    ...{ method, agent, setHost: false },
    headers: { ...headers, host: target.host, 'content-length': String(body.length) },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const received = await buffer(response);
  const others = { ...response.headers };
  delete others['transfer-encoding'];
  return { status: response.statusCode, headers: others, body: received };
}
