/** The builds of the scene, newest first, and the responses to changes. */
import { allJobs, ofBlocked, ofFailed, ofMany, ofRunning, type SceneJob } from './jobs.ts';
import { at, idOf, people, site } from './members.ts';
import type { RouteCall, Paged } from './service.ts';

type Members = Readonly<Record<string, unknown>>;

const { ada, yamada, grace } = people;

const pipeline = (slug: string) => ({
  ...{ id: idOf('d', slug.length), graphql_id: `UGlwZWxpbmU${slug}`, slug, name: slug },
  ...{ url: `${site}/v2/organizations/acme/pipelines/${slug}`, web_url: `${site}/acme/${slug}` },
  ...{ repository: `git@git.example.org:acme/${slug}.git`, default_branch: 'main' },
});

function build(number: number, more: Members, slug = 'web') {
  const path = `acme/${slug}/builds/${number}`;
  return {
    ...{ id: idOf('e', number), graphql_id: `QnVpbGQ${number}`, number, state: 'passed' },
    url: `${site}/v2/organizations/acme/pipelines/${slug}/builds/${number}`,
    web_url: `${site}/${path}`,
    ...{ cancel_reason: null, blocked: false, message: 'Tidy up', branch: 'main', tag: null },
    commit: String(number).padStart(4, '0').repeat(10),
    ...{ env: {}, source: 'webhook', creator: ada, author: null, jobs: [] as readonly SceneJob[] },
    ...{ created_at: at('10:00:00', 19), scheduled_at: at('10:00:00', 19) },
    ...{ started_at: at('10:00:05', 19), finished_at: at('10:03:20', 19) },
    ...{ meta_data: {}, pull_request: null, rebuilt_from: null, triggered_from: null },
    pipeline: pipeline(slug),
    ...more,
  };
}

const none = { started_at: null, finished_at: null };

const web = [
  build(143, {
    ...{ state: 'running', message: 'Bump the load balancer to 3.2', creator: grace, source: 'ui' },
    ...{ commit: '9'.repeat(40), jobs: ofRunning, created_at: at('11:59:40') },
    ...{ scheduled_at: at('11:59:40'), started_at: at('11:59:43'), finished_at: null },
  }),
  build(142, {
    ...{ blocked: true, branch: 'release/2026.11', message: ':rocket: Release 2026.11.3' },
    ...{ jobs: ofBlocked, created_at: at('11:39:00'), scheduled_at: at('11:39:00') },
    ...{
      started_at: at('11:39:02'),
      finished_at: at('11:44:29'),
      meta_data: { release: '2026.11.3' },
    },
  }),
  build(141, {
    state: 'failed',
    branch: 'feature/JIRA-1234-a-very-long-branch-name-with-all-that-it-does-in-practice',
    message:
      'Rework the checkout: prices in minor units, taxes by country\n\nTaxes are looked up by the country of delivery.',
    ...{ commit: `0141deadbe${'ef'.repeat(15)}`, jobs: ofFailed },
    pull_request: { id: '1234', base: 'main', repository: 'https://git.example.org/acme/web.git' },
    ...{ created_at: at('10:56:50'), scheduled_at: at('10:56:50') },
    ...{ started_at: at('10:56:55'), finished_at: at('11:03:51') },
  }),
  build(140, {
    ...{
      branch: '機能/決済-リファクタリング',
      message: '価格を最小通貨単位に 🧾 👩‍👩‍👧 と税率の見直し',
    },
    ...{ creator: yamada, rebuilt_from: { id: idOf('e', 139), number: 139, url: `${site}/139` } },
  }),
  build(139, {
    state: 'canceled',
    cancel_reason: 'Superseded by a newer build',
    finished_at: at('10:00:30', 19),
  }),
  build(138, { ...none, state: 'skipped', message: 'docs only [skip ci]' }),
  build(137, { ...none, state: 'not_run', creator: null, message: null }),
  build(136, { state: 'failing', message: ':acme-logo: :tada: One more try', finished_at: null }),
  build(135, { ...none, state: 'scheduled', source: 'schedule', message: 'Nightly' }),
  build(134, {
    state: 'canceling',
    finished_at: null,
    message: '\x1b[31mred\x1b[0m \u202eevil\u202c\ttab',
  }),
  ...Array.from({ length: 140 }, (_, index) =>
    build(133 - index, {
      ...{ message: `Change number ${133 - index}`, created_at: at('08:00:00', 9) },
      ...{ started_at: at('08:00:05', 9), finished_at: at('08:03:20', 9) },
      jobs: ofMany(133 - index),
    }),
  ).filter(({ number }) => number > 0),
];

const api = [build(9, { state: 'failed', message: 'Speak HTTP/3' }, 'api'), build(8, {}, 'api')];
const newest = [...web.slice(0, 2), ...api, ...web.slice(2)];

const created = build(144, {
  ...none,
  state: 'scheduled',
  source: 'api',
  created_at: at('12:00:00'),
});

export const builds = {
  ada,
  created,
  canceled: { ...web[0], state: 'canceling', cancel_reason: 'Canceled by Ada Lovelace' },
  list: ({ parts: [slug], query }: RouteCall): Paged => ({ pageOf: chosen(listOf(slug), query) }),
  one({ parts: [slug, number], query }: RouteCall): object | undefined {
    const found = listOf(slug).find((each) => String(each.number) === number);
    return found && withJobs(found, query);
  },
  job: (id = ''): object | undefined => allJobs.find((each) => each.id === id),
};

function listOf(slug = '') {
  if (slug === '') return newest;
  return slug === 'api' ? api : slug === 'web' ? web : [];
}

/** The filters that the screens use. */
function chosen(all: typeof web, query: URLSearchParams): object[] {
  const fits = (name: string, value: string): boolean => {
    const wanted = [...query.getAll(name), ...query.getAll(`${name}[]`)];
    return wanted.length === 0 || wanted.includes(value);
  };
  return all
    .filter(({ state, branch, commit }) => {
      const isFinished = /passed|failed|canceled/.test(state) && fits('state', 'finished');
      return (
        (isFinished || fits('state', state)) && fits('branch', branch) && fits('commit', commit)
      );
    })
    .map((each) => withJobs(each, query));
}

function withJobs(found: (typeof web)[number], query: URLSearchParams): object {
  const isWhole = query.get('include_retried_jobs') === 'true';
  return { ...found, jobs: found.jobs.filter(({ retried }) => isWhole || !retried) };
}
