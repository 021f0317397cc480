/** The slowest requests. Each row builds its calls from IDs in the data (`worst-data.ts`). */
const pipelines = '/v2/organizations/local/pipelines';
const graphql = (query) => ({ method: 'POST', path: '/v1', body: JSON.stringify({ query }) });
const get = (path) => ({ method: 'GET', path });
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });

/** @type {{ name: string, calls: (known: { log: string }) => object[] }[]} */
export const worstCalls = [
  row('a page of builds of 500 jobs', () => [get(`${pipelines}/wide/builds?per_page=100`)]),
  row('jobs, the last assigned first', () => [
    graphql(`
      {
        organization(slug: "local") {
          jobs(first: 100, order: RECENTLY_ASSIGNED) {
            edges {
              node {
                ... on JobTypeCommand {
                  uuid
                }
              }
            }
          }
        }
      }
    `),
  ]),
  row('those of one that never ran', () => [
    graphql(`
      {
        organization(slug: "local") {
          jobs(first: 100, order: RECENTLY_ASSIGNED, step: { key: ["none"] }) {
            count
            edges {
              node {
                ... on JobTypeCommand {
                  uuid
                }
              }
            }
          }
        }
      }
    `),
  ]),
  row('jobs in number', () => [
    graphql(`
      {
        organization(slug: "local") {
          jobs(passed: true) {
            count
          }
        }
      }
    `),
  ]),
  row('Markdown of 256 KiB', () => [annotation('list', longMarkdown())]),
  row('Markdown of one block', () => [annotation('pairs', '*a_ '.repeat(1990))]),
  row('Markdown of 1 MiB', () => [annotation('long', '& <'.repeat(349_000))]),
  row('100 annotations of 1 MiB', () => [get(`${firstWide}/annotations?per_page=100`)]),
  row('the same by GraphQL', () => [
    graphql(`
      {
        build(slug: "local/wide/1") {
          annotations(first: 100) {
            edges {
              node {
                body {
                  html
                  text
                }
              }
            }
          }
        }
      }
    `),
  ]),
  row('a page of artifacts', () => [get(`${firstWide}/artifacts?per_page=100`)]),
  row('a late page of artifacts', () => [get(`${firstWide}/artifacts?per_page=100&page=1000`)]),
  row('a log of 64 MiB as JSON', ({ log }) => [get(`${log}/log.json`)]),
  row('a log of 64 MiB as HTML', ({ log }) => [get(`${log}/log.html`)]),
  row('metrics', () => [{ ...get('/v3/metrics'), isAgent: true }]),
  row('a new build of 10000 jobs', () => [
    post(`${pipelines}/ten-thousand/builds`, { commit: 'HEAD', branch: 'main' }),
  ]),
  row('that build', () => [get(`${pipelines}/ten-thousand/builds/1`)]),
  row('cancelling it', () => [
    { method: 'PUT', path: `${pipelines}/ten-thousand/builds/1/cancel` },
  ]),
  row('rebuilding it', () => [
    { method: 'PUT', path: `${pipelines}/ten-thousand/builds/1/rebuild` },
  ]),
  row('pruning 400 builds', () => Array(2).fill(post('/local/v1/prune', { keep: '48000' }))),
  row('removing 50000 builds', () => [
    { method: 'DELETE', path: '/local/v1/organizations/local/pipelines/api' },
  ]),
];

function row(name, calls) {
  return { name, calls };
}

/** It has the maximum of everything. */
const firstWide = `${pipelines}/wide/builds/1`;

const annotation = (context, body) =>
  post(`${pipelines}/wide/builds/2/annotations`, { body, context });

/** Each line is its own block, which is slowest to render. */
const longMarkdown = () => '* [a](b) **c**\n\n'.repeat(16_000);
