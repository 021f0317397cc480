/** The requests to a filled service. */
const organization = '/v2/organizations/local/builds';
const pipeline = '/v2/organizations/local/pipelines/web/builds';

const get = (path) => ({ method: 'GET', path });
const iso = (at) => encodeURIComponent(new Date(at).toISOString());
const filtered = (name, filter = name) => ({
  name,
  call: (facts) => get(`${pipeline}?${typeof filter === 'function' ? filter(facts) : filter}`),
});

const hour = 3_600_000;

/** Each filter of a list, with a value that many builds have. */
const filters = {
  state: () => 'state=finished',
  branch: () => 'branch=main',
  commit: () => `commit=${'1f'.padStart(40, '0')}`,
  creator: ({ creator }) => `creator=${creator}`,
  meta_data: () => 'meta_data%5Bstage%5D=test',
  created_from: ({ until }) => `created_from=${iso(until - 24 * hour)}`,
  created_to: ({ middle }) => `created_to=${iso(middle)}`,
  finished_from: ({ middle }) => `finished_from=${iso(middle)}`,
};

const ofOrganization = (...names) => ({
  name: `of the organization: ${names.join(', ')}`,
  call: (facts) => get(`${organization}?${names.map((name) => filters[name](facts)).join('&')}`),
});

/** All pairs of filters. */
export const pairCalls = Object.keys(filters).flatMap((one, index, all) =>
  all.slice(index + 1).map((other) => ofOrganization(one, other)),
);

/** @type {{ name: string, call: (facts: { isLarge: boolean, until: number, middle: number, creator: string }) => object }[]} */
export const sizeCalls = [
  filtered('per_page=1'),
  filtered('per_page=30'),
  filtered('per_page=100'),
  { name: 'of the organization', call: () => get(organization) },
  { name: 'page 1000 of 1', call: () => get(`${organization}?per_page=1&page=1000`) },
  // If there is no such page, the baseline is the first one.
  {
    name: 'page 1000 of 30',
    call: ({ isLarge }) => get(`${organization}?page=${isLarge ? 1000 : 1}`),
  },
  filtered('state', 'state=passed'),
  filtered('state=finished'),
  filtered('branch', 'branch=main'),
  filtered('commit', `commit=${'1f'.padStart(40, '0')}`),
  filtered('creator', ({ creator }) => `creator=${creator}`),
  filtered('creator of none', 'creator=nobody'),
  filtered('created_from', ({ until }) => `created_from=${iso(until - 24 * hour)}`),
  filtered('created_to of old builds', ({ middle }) => `created_to=${iso(middle)}`),
  filtered('finished_from', ({ until }) => `finished_from=${iso(until - 24 * hour)}`),
  filtered('finished_from of old builds', ({ middle }) => `finished_from=${iso(middle)}`),
  filtered('meta_data', 'meta_data%5Bstage%5D=test'),
  filtered('meta_data of one build', 'meta_data%5Bticket%5D=T-31'),
  filtered('meta_data of none', 'meta_data%5Bstage%5D=none'),
  filtered(
    'state, branch and creation',
    ({ middle }) => `state=passed&branch=main&created_from=${iso(middle)}`,
  ),
  ofOrganization('state', 'branch', 'meta_data'),
  ofOrganization('state', 'branch', 'creator'),
  { name: 'GET build', call: () => get(`${pipeline}/31`) },
  {
    name: 'create',
    call: () => ({
      ...{ method: 'POST', path: pipeline },
      body: JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'one more' }),
    }),
  },
  { name: 'metrics', call: () => ({ ...get('/v3/metrics'), isAgent: true }) },
  {
    name: 'GraphQL builds(first: 50)',
    call: () => ({
      ...{ method: 'POST', path: '/v1' },
      body: JSON.stringify({
        query: `{ pipeline(slug: "local/web") { builds(first: 50) { count edges { node {
          uuid number state branch commit message createdAt } } } } }`,
      }),
    }),
  },
];
