/** Serves 30 builds to whoever asks, in a process of its own; prints its port. */
import { createServer } from 'node:http';
import { builds } from './builds.js';

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
});
let body = '';
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const base = `http://127.0.0.1:${port}/v2/organizations/acme/pipelines/web/builds`;
  body = Buffer.from(JSON.stringify(builds(base)));
  process.stdout.write(`${port}\n`);
});
