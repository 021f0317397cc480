/** Sends one call after another over one connection. */
import { Agent, request } from 'node:http';

/** @param {{ url: string, token: string, agentToken: string }} access of a service */
export function requester({ url, token, agentToken }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method, path, body, isAgent }) =>
    new Promise((resolve, reject) => {
      const authorization = isAgent ? `Token ${agentToken}` : `Bearer ${token}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        let size = 0;
        response.on('data', (bytes) => (size += bytes.length));
        response.on('end', () =>
          response.statusCode < 300
            ? resolve(size)
            : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
