/**
 * Serves a long list of builds in pages, each after a delay, in a process of its own; prints its port.
 * `node bench/all-server.js [BUILDS] [MILLISECONDS]`
 */
import { createServer } from 'node:http';
import { builds } from './builds.js';

const [count, delay] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 0)];
const path = '/v2/organizations/acme/pipelines/web/builds';
const perPage = 100;
const pages = new Map();

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url, base());
  const page = Number(searchParams.get('page') ?? 1);
  const headers = { 'content-type': 'application/json; charset=utf-8', link: links(searchParams) };
  setTimeout(() => response.writeHead(200, headers).end(bodyOf(page)), delay);
});
server.listen(0, '127.0.0.1', () => {
  for (let page = 1; page * perPage <= count; page++) bodyOf(page);
  process.stdout.write(`${server.address().port}\n`);
});

const base = () => `http://127.0.0.1:${server.address().port}`;

function links(query) {
  const last = Math.ceil(count / perPage);
  const page = Number(query.get('page') ?? 1);
  const link = (name, number) => {
    const others = new URLSearchParams(query);
    others.set('page', number);
    return `<${base()}${path}?${others}>; rel="${name}"`;
  };
  return page < last ? `${link('next', page + 1)}, ${link('last', last)}` : '';
}

function bodyOf(page) {
  if (!pages.has(page)) {
    const from = (page - 1) * perPage;
    const shown = Math.max(0, Math.min(perPage, count - from));
    pages.set(page, Buffer.from(JSON.stringify(builds(base() + path, shown, count - from))));
  }
  return pages.get(page);
}
