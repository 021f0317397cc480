/** Sends calls one after another on one connection. */
import { Agent, request } from 'node:http';

/** @param {{ url: string, token: string, agentToken: string, adminToken?: string }} access of a service */
export function requester({ url, token, agentToken, adminToken }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (call) =>
    new Promise((resolve, reject) => {
      const { method, path, body, isAgent } = call;
      const bearer = path.startsWith('/local/') ? adminToken : token;
      const authorization = isAgent ? `Token ${agentToken}` : `Bearer ${bearer}`;
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
      // The service may just have closed an idle connection.
      sent.on('error', (error) => (sent.reusedSocket ? resolve(send(call)) : reject(error)));
      sent.end(body);
    });
  return send;
}
