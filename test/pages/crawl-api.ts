/** Follows the URLs in API responses of the built-in service. */

export interface Crawl {
  /** Each URL, with the names of the members that contained it. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Paths of logs of jobs that have not started. */
  readonly unwritten: ReadonlySet<string>;
}

interface Access {
  readonly url: string;
  readonly token: string;
}

const org = '/v2/organizations/local';

/** The start: everything that can be requested without knowing another response. */
const roots = [
  '/v2/user',
  '/v2/access-token',
  '/v2/organizations',
  '/v2/builds?include_retried_jobs=true&per_page=2',
  `${org}/builds`,
  `${org}/rules`,
  `${org}/pipelines?per_page=1`,
  `${org}/agents`,
  `${org}/pipelines/demo/builds/1?include_retried_jobs=true`,
  `${org}/pipelines/demo/builds/1/annotations?per_page=1`,
  `${org}/pipelines/demo/builds/1/artifacts`,
];

/** Continues until every URL was visited. */
export async function crawlApi({ url, token }: Access): Promise<Crawl> {
  const addresses = new Map(roots.map((path) => [url + path, 'root']));
  const unwritten = new Set<string>();
  const open = [...addresses.keys()];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!at.startsWith(`${url}/v`) || at.includes('/v3/artifacts/')) continue;
    const answer = await fetch(at, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
    });
    const links = answer.headers.get('link') ?? '';
    const found = [...links.matchAll(/<([^>]+)>/g)].map(
      ([, to = '']) => ['link', to] as [string, string],
    );
    const text = await answer.text();
    if (answer.headers.get('content-type')?.startsWith('application/json') === true)
      found.push(...stringsOf('', JSON.parse(text), unwritten));
    for (const [name, to] of found) {
      if (!to.startsWith(url) || addresses.has(to)) continue;
      addresses.set(to, name);
      open.push(to);
    }
  }
  return { addresses, unwritten: new Set([...unwritten].map((one) => one.slice(url.length))) };
}

function stringsOf(name: string, value: unknown, unwritten: Set<string>): [string, string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  noteLogs(value as Record<string, unknown>, unwritten);
  return Object.entries(value).flatMap(([key, one]) =>
    stringsOf(Array.isArray(value) ? name : key, one, unwritten),
  );
}

function noteLogs(element: Record<string, unknown>, unwritten: Set<string>): void {
  if (element['type'] !== 'script' || element['started_at'] !== null) return;
  for (const name of ['log_url', 'raw_log_url']) unwritten.add(String(element[name]));
}
