/** Keep-alive connections of one agent to a service. */
import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/**
 * @typedef {{ method: string, path: string, token: string, body?: object, bytes?: Buffer, headers?: object }} Call
 *   `body` goes out as JSON, `bytes` as compressed text
 * @typedef {{ status: number, body: any }} Reply `body`: JSON where it is, else text
 * @param {string} endpoint `http://HOST:PORT/v3`
 */
export function openConnection(endpoint) {
  const agent = new Agent({ keepAlive: true });
  const base = new URL(endpoint);
  const target = { host: base.hostname, port: base.port, agent };
  return {
    /**
     * Rejects if there was no complete response.
     * @param {Call} call
     * @returns {Promise<Reply>}
     */
    send: (call) =>
      new Promise((resolve, reject) => {
        const sent = request(optionsOf(call, target, base.pathname), (response) => {
          response.on('error', reject);
          textOf(response).then((text) => resolve(replyOf(response, text)), reject);
        });
        sent.on('error', reject);
        sent.end(payloadOf(call));
      }),
    close: () => agent.destroy(),
  };
}

const optionsOf = ({ method, path, token, body, bytes, headers }, target, prefix) => ({
  ...target,
  method,
  path: prefix + path,
  headers: {
    authorization: `Token ${token}`,
    'user-agent': 'buildkite-agent/4.0.0-simulated.x (linux; amd64)',
    ...(body && { 'content-type': 'application/json' }),
    ...(bytes && { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
    'content-length': Buffer.byteLength(payloadOf({ body, bytes })),
    ...headers,
  },
});

const payloadOf = ({ body, bytes }) => bytes ?? (body === undefined ? '' : JSON.stringify(body));

function replyOf({ statusCode: status, headers }, text) {
  const isJson = headers['content-type']?.includes('json') && text !== '';
  return { status, body: isJson ? JSON.parse(text) : text };
}
