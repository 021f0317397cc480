/**
 * Serves 30 builds, each of them (three of its five jobs have failed) with logs and no annotations,
 * and 5,000 in pages of 100 for the organization `many`, in its own process; prints its port.
 */
import { createServer } from 'node:http';
import { builds } from './builds.js';

const pages = 50;
const server = createServer(({ url, headers }, response) => {
  const [, number, part] = /\/builds\/(\d+)(?:\/([^?]*))?/.exec(url) ?? [];
  if (part?.endsWith('/log.txt')) return response.setHeader('content-type', 'text/plain').end(log);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (part !== undefined) return response.end('[]');
  if (number !== undefined) return response.end(one(Number(number)));
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
const log = Array.from({ length: 100 }, (_, line) => `test ${line} ... ok\n`)
  .join('')
  .concat('Error: expected 2, got 3\n    at divide (src/divide.js:7:9)\n');
let base = '';
let body = '';
let many = [];
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  base = `http://127.0.0.1:${port}/v2/organizations/acme/pipelines/web/builds`;
  body = Buffer.from(JSON.stringify(builds(base)));
  const all = builds(base, pages * 100).map((build) => ({ ...build, jobs: [] }));
  many = Array.from({ length: pages }, (_, at) =>
    Buffer.from(JSON.stringify(all.slice(at * 100, at * 100 + 100))),
  );
  process.stdout.write(`${port}\n`);
});

function one(number) {
  const [build] = builds(base, 1, number);
  const jobs = build.jobs.map((job, at) =>
    at < 3 ? { ...job, state: 'failed', exit_status: 1 } : job,
  );
  return JSON.stringify({ ...build, state: 'failed', jobs });
}
