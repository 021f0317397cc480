/**
 * Serves 30 builds, one build, and 5,000 in pages of 100 for the organization `many`, in its own process;
 * prints its port.
 */
import { createServer } from 'node:http';
import { builds } from './builds.js';

const pages = 50;
const server = createServer(({ url, headers }, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (/\/builds\/\d/.test(url)) return response.end(one);
  if (!url.startsWith('/v2/organizations/many/')) return response.end(body);
  const at = new URL(url, `http://${headers.host}`);
  const page = Number(at.searchParams.get('page') ?? 1);
  const linked = (rel, to) => {
    at.searchParams.set('page', to);
    return `<${at.href}>; rel="${rel}"`;
  };
  if (page < pages)
    response.setHeader('link', `${linked('next', page + 1)}, ${linked('last', pages)}`);
  return response.end(many[page - 1]);
});
let body = '';
let one = '';
let many = [];
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const base = `http://127.0.0.1:${port}/v2/organizations/acme/pipelines/web/builds`;
  body = Buffer.from(JSON.stringify(builds(base)));
  one = Buffer.from(JSON.stringify(builds(base, 1, 7)[0]));
  const all = builds(base, pages * 100).map((build) => ({ ...build, jobs: [] }));
  many = Array.from({ length: pages }, (_, at) =>
    Buffer.from(JSON.stringify(all.slice(at * 100, at * 100 + 100))),
  );
  process.stdout.write(`${port}\n`);
});
