/**
 * Serves a long list of builds in pages, each after a delay, in its own process; prints its port.
 * `node bench/all-server.js [BUILDS] [MILLISECONDS]`
 */
import { createServer } from 'node:http';
import { builds } from './builds.js';

const [count, delay] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 0)];
// Below `/without-last`, links name no last page.
const path = '/v2/organizations/acme/pipelines/web/builds';
const perPage = 100;
const pages = new Map();

const server = createServer((request, response) => {
  const address = new URL(request.url, base());
  const page = Number(address.searchParams.get('page') ?? 1);
  const headers = { 'content-type': 'application/json; charset=utf-8', link: links(address) };
  setTimeout(() => response.writeHead(200, headers).end(bodyOf(page)), delay);
});
server.listen(0, '127.0.0.1', () => {
  for (let page = 1; page * perPage <= count; page++) bodyOf(page);
  process.stdout.write(`${server.address().port}\n`);
});

const base = () => `http://127.0.0.1:${server.address().port}`;

function links({ pathname, searchParams: query }) {
  const last = Math.ceil(count / perPage);
  const page = Number(query.get('page') ?? 1);
  const link = (name, number) => {
    const others = new URLSearchParams(query);
    others.set('page', number);
    return `<${base()}${pathname}?${others}>; rel="${name}"`;
  };
  if (page >= last) return '';
  const next = link('next', page + 1);
  return pathname.startsWith('/without-last') ? next : `${next}, ${link('last', last)}`;
}

function bodyOf(page) {
  if (!pages.has(page)) {
    const from = (page - 1) * perPage;
    const shown = Math.max(0, Math.min(perPage, count - from));
    pages.set(page, Buffer.from(JSON.stringify(builds(base() + path, shown, count - from))));
  }
  return pages.get(page);
}
