/**
 * Every URL in a response works: JSON with a token, pages with a session, images without either.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Browser } from './browser.ts';
import { createCounterpart, type Counterpart, type Reply, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const org = '/v2/organizations/local';
const wanted = { commit: 'HEAD', branch: 'main' };
const picture = `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`;

let service: Counterpart;
let browser: Browser;
/** Maps URLs without origin and fragment to the names of the members that contained them. */
let found: Map<string, Set<string>>;
/** Logs of jobs that have not started. */
const unwritten = new Set<string>();
/** Jobs that can be unblocked. */
const unblockable = new Set<string>();

beforeAll(async () => {
  const runner = scriptedRunner();
  service = await createCounterpart({ runner, slots: 9 });
  const path = await service.pipeline(
    'p',
    '[{ command: one, key: k }, { command: two }, wait, { block: Go, key: b }, { command: three }]',
  );
  await service.pipeline('q', '[{ command: four }]');
  // The jobs of the second build keep running.
  for (const branch of ['main', 'dev']) await service.post(`${path}/builds`, { ...wanted, branch });
  const end = async (job: number, exitStatus: number): Promise<void> => {
    const build = await service.until(
      `${path}/builds/1`,
      ({ jobs }) => jobs[job]?.state === 'running',
    );
    runner.finish(build.jobs[job]?.id ?? '', { exitStatus });
  };
  await end(0, 1);
  const { jobs } = await service.until(`${path}/builds/1`, ({ state }) => state === 'failing');
  await service.put(`${path}/builds/1/jobs/${jobs[0]?.id ?? ''}/retry`);
  await end(0, 0);
  await end(1, 0);
  await service.until(`${path}/builds/1`, ({ blocked }) => blocked);
  await service.put(`${path}/builds/1/rebuild`);
  for (const context of ['a', 'b'])
    await service.post(`${path}/builds/1/annotations`, { body: 'x', context });
  await service.post(`${org}/rules`, {
    type: 'pipeline.trigger_build.pipeline',
    value: { source_pipeline: 'p', target_pipeline: 'q' },
  });
  const emoji = { name: 'own+1', url: picture, aliases: ['mine'] };
  await service.admin('POST', '/organizations/local/emojis', emoji);
  found = await crawl();
  browser = await signIn(service);
});

afterAll(() => service.close());

/** The start: everything that can be requested without knowing another response. */
const roots = [
  '/v2/user',
  '/v2/access-token',
  '/v2/organizations',
  '/v2/builds?include_retried_jobs=true&per_page=1',
  `${org}/builds`,
  `${org}/rules`,
  `${org}/pipelines?per_page=1`,
  `${org}/agents`,
  `${org}/pipelines/p/builds/1?include_retried_jobs=true`,
  `${org}/pipelines/p/builds/1/jobs?per_page=2`,
  `${org}/pipelines/p/builds/1/annotations?per_page=1`,
  `${org}/pipelines/p/builds/1/artifacts`,
];

/** Follows all URLs in JSON responses until every one was visited. */
async function crawl(): Promise<Map<string, Set<string>>> {
  const addresses = new Map<string, Set<string>>(roots.map((root) => [root, new Set(['root'])]));
  const open = [...roots];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const names = addresses.get(path) ?? new Set();
    if (names.has('unblock_url') || path.startsWith('/emojis/')) continue;
    const reply = await service.get(path);
    for (const [name, address] of addressesIn(reply)) {
      const next = address.slice(service.url.length).replace(/#.*/, '');
      const known = addresses.get(next);
      if (known === undefined) open.push(next);
      addresses.set(next, (known ?? new Set()).add(name));
    }
  }
  return addresses;
}

function addressesIn({ headers, text }: Reply): [name: string, address: string][] {
  const links = String(headers['link'] ?? '').matchAll(/<([^>]+)>/g);
  const named = [...links].map((link): [string, string] => ['link', link[1] ?? '']);
  if (!String(headers['content-type']).startsWith('application/json')) return named;
  return [...named, ...stringsOf('', JSON.parse(text))].filter(([, value]) =>
    value.startsWith(service.url),
  );
}

function stringsOf(name: string, value: unknown): [string, string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  note(value as Wire);
  return Object.entries(value).flatMap(([key, one]) =>
    stringsOf(Array.isArray(value) ? name : key, one),
  );
}

function note(element: Wire): void {
  const at = (name: string): string => String(element[name]).slice(service.url.length);
  if (element['type'] === 'script' && element['started_at'] === null)
    for (const name of ['log_url', 'raw_log_url']) unwritten.add(at(name));
  if (element['unblockable'] === true) unblockable.add(at('unblock_url'));
}

const isPicture = (path: string, names: ReadonlySet<string>): boolean =>
  path.startsWith('/emojis/') || names.has('badge_url') || names.has('avatar_url');

const isPage = (names: ReadonlySet<string>): boolean =>
  names.has('web_url') || names.has('webhook_url');

/** Requests pages as a browser and everything else with the token. */
const ask = (path: string, names: ReadonlySet<string>, method: string): Promise<Reply> =>
  isPage(names) ? browser.get(path, { method }) : service.send(path, { method });

test('the crawl covers every kind of URL', () => {
  const names = new Set([...found.values()].flatMap((one) => [...one]));
  expect([...names].sort()).toEqual([
    'agents_url',
    'artifacts_url',
    'avatar_url',
    'badge_url',
    'build_url',
    'builds_url',
    'emojis_url',
    'link',
    'log_url',
    'next',
    'pipelines_url',
    'prev',
    'raw_log_url',
    'root',
    'self',
    'unblock_url',
    'url',
    'web_url',
    'webhook_url',
  ]);
  expect([...found.keys()].filter((path) => path.startsWith('/emojis/')).length).toBeGreaterThan(
    1800,
  );
});

// Must run before the following tests, which unblock them.
test('opening the unblock URL of a step shows it and changes nothing', async () => {
  expect(unblockable.size).toBeGreaterThan(0);
  for (const path of unblockable) {
    const { status, json } = await service.get(path);
    expect({ status, state: json.state }).toEqual({ status: 200, state: 'blocked' });
    expect(String(json['unblock_url'])).toBe(service.url + path);
  }
});

test('each URL responds', async () => {
  const failed: string[] = [];
  // Unblocked jobs soon have a log, so they come last.
  const [changing, others] = [true, false].map((changes) =>
    [...found].filter(([, names]) => names.has('unblock_url') === changes),
  );
  for (const [path, names] of [...(others ?? []), ...(changing ?? [])]) {
    const method = names.has('unblock_url') ? 'PUT' : 'GET';
    const { status, text, headers } = await ask(path, names, method);
    const right = status === statusOf(method, path) && headers['x-content-type-options'];
    if (right !== 'nosniff')
      failed.push(`${method} ${path} (${[...names].join()}): ${status} ${text}`);
  }
  expect(failed).toEqual([]);
});

function statusOf(method: string, path: string): number {
  if (method === 'PUT') return unblockable.has(path) ? 200 : 422;
  return unwritten.has(path) ? 404 : 200;
}

test('images need no credential', async () => {
  const open = [...found].filter(([path, names]) => isPicture(path, names));
  const failed: string[] = [];
  for (const [path] of open) {
    const { status, headers } = await service.get(path, { token: null });
    const type = String(headers['content-type']);
    if (status !== 200 || !type.startsWith('image/')) failed.push(`${path}: ${status}`);
  }
  expect(failed).toEqual([]);
});

test('everything else needs a credential', async () => {
  const closed = [...found].filter(([path, names]) => !isPicture(path, names));
  const failed: string[] = [];
  for (const [path] of closed) {
    const { status } = await service.get(path, { token: null });
    if (status !== 401) failed.push(`${path}: ${status}`);
  }
  expect(failed).toEqual([]);
});

test('HEAD of each URL has the status and headers of GET, and no body', async () => {
  const sample = [...found].filter(([path, names]) => {
    return !names.has('unblock_url') && !unwritten.has(path) && !/^\/emojis\/.*-/.test(path);
  });
  const failed: string[] = [];
  for (const [path, names] of sample) {
    const get = await ask(path, names, 'GET');
    const head = await ask(path, names, 'HEAD');
    const length = head.headers['content-length'];
    const right = head.text === '' && head.status === get.status;
    // Logs grow meanwhile, and pages contain relative times.
    const isChanging = /\/log(\.txt)?$/.test(path) || isPage(names);
    if (!right || (!isChanging && length !== String(Buffer.byteLength(get.text))))
      failed.push(`${path}: ${head.status} ${String(length)}`);
  }
  expect(failed).toEqual([]);
});
