import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Pages } from '../../pages/lists/controls.tsx';
import type { SessionApi } from './signed-in.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Pipeline } from '../../api/resources/pipeline.ts';
import { barCount } from '../../pages/lists/build-bars.tsx';
import type { PipelineListProps } from '../../pages/lists/pipelines.tsx';
import { organizationPath, webOrganization } from './addresses.ts';
import { contextOf, type PageCall } from './page-call.ts';
import { htmlOf } from '../../pages/elements.tsx';
import { pause, type Part as SentPart, type Picture } from './event-stream.ts';

export interface ListPage<T> {
  readonly elements: readonly T[];
  readonly hasNext: boolean;
}

/** Throws `ApiError` if the list cannot be read. */
export async function readList<T>(
  api: SessionApi,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<ListPage<T>> {
  const response = await api.fetch(hrefOf(path, query));
  const elements = (await response.json()) as T[];
  return { elements, hasNext: (response.headers.get('link') ?? '').includes('rel="next"') };
}

/** Returns 1 if the page number is missing or invalid. */
export const pageNumber = (query: URLSearchParams): number =>
  Math.max(1, Number(/^\d{1,6}$/.exec(query.get('page') ?? '')?.[0] ?? 1));

export function pagesOf(
  page: number,
  hasNext: boolean,
  path: string,
  query: Readonly<Record<string, string>>,
): Pages {
  const href = (to: number): string => hrefOf(path, { ...query, page: to === 1 ? '' : String(to) });
  return {
    text: `Page ${page}`,
    previous: page > 1 ? href(page - 1) : undefined,
    next: hasNext ? href(page + 1) : undefined,
  };
}

/** Omits parameters with empty values. */
export function hrefOf(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** If `ids` is given, lists only these pipelines. */
export async function readPipelines(
  call: PageCall,
  org: string,
  ids: readonly string[] | null = null,
): Promise<PipelineListProps> {
  const { api, query, service } = call;
  const page = pageNumber(query);
  const text = query.get('q') ?? '';
  const asked = { name: text, page: String(page) };
  const { elements, hasNext } = await readList<Pipeline>(api, pipelinesOf(org), asked);
  const wanted = elements.filter(({ id }) => ids?.includes(id ?? '') ?? true);
  const cards = await Promise.all(
    wanted.map(async (pipeline) => ({
      pipeline,
      builds: await lastBuilds(api, org, pipeline.slug ?? ''),
    })),
  );
  const context = { ...contextOf(call, org), now: service.clock.now() };
  const path = webOrganization({ org });
  return { cards, text, context, pages: pagesOf(page, hasNext, path, { q: text }) };
}

/** Returns the latest builds, newest first and without their jobs. */
export async function lastBuilds(
  api: SessionApi,
  org: string,
  slug: string,
): Promise<readonly Build[]> {
  const path = `${pipelinesOf(org)}/${encodeURIComponent(slug)}/builds`;
  const query = { ...withoutJobs, per_page: String(barCount) };
  return (await readList<Build>(api, path, query)).elements;
}

export const withoutJobs = { exclude_jobs: 'true', exclude_pipeline: 'true' };

const pipelinesOf = (org: string): string => `${organizationPath({ org })}/pipelines`;

export interface Part {
  readonly id: string;
  readonly element: JSX.Element;
  /** IDs of parts that change over time, such as the duration of a running build. */
  readonly growing: readonly string[];
}

/** Milliseconds until the parts that change over time are rendered again. */
const longestWait = 5000;

/** `key` is an ID in the change feed. `partsOf` is called with the changed IDs, or null for all. */
export async function* listPictures(
  call: Pick<PageCall, 'service' | 'signal'>,
  key: string,
  partsOf: (ids: readonly string[] | null) => Promise<readonly Part[]>,
  gatherTime = 300,
): AsyncGenerator<Picture> {
  const { feed } = call.service.engine;
  const isUnchanged = (since: number): boolean => feed.since(key, since).jobIds?.length === 0;
  const all = async (): Promise<readonly SentPart[]> =>
    (await partsOf(null)).map(({ id, element }) => ({ id, html: htmlOf(element) }));
  const shown = createShown();
  let { version: seen } = feed.since(key, null);
  const changed = shown.show(await partsOf(null), null);
  const first = { version: String(seen), isExact: isUnchanged(seen), changed };
  yield { ...first, all: () => Promise.resolve(changed) };
  while (!call.signal.aborted) {
    if (isUnchanged(seen)) await feed.next(key, longestWait);
    const { version, jobIds } = feed.since(key, seen);
    const ids = jobIds?.length === 0 ? shown.growing() : jobIds;
    if (ids?.length !== 0 || version !== seen) {
      const news = ids?.length === 0 ? [] : shown.show(await partsOf(ids), ids);
      yield { version: String(version), isExact: isUnchanged(version), changed: news, all };
    }
    seen = version;
    await pause(gatherTime);
  }
}

/** The version for the URL of the event stream. Read the version before the list. */
export const versionNow = ({ service }: PageCall, key: string): string =>
  String(service.engine.feed.since(key, null).version);

function createShown() {
  const markup = new Map<string, string>();
  let growing: ReadonlySet<string> = new Set();
  return {
    growing: () => [...growing],
    /** Returns the parts that have changed since they were last shown. */
    show(parts: readonly Part[], ids: readonly string[] | null): SentPart[] {
      const others = ids === null ? [] : [...growing].filter((id) => !ids.includes(id));
      growing = new Set([...others, ...parts.flatMap((part) => part.growing)]);
      return parts.flatMap(({ id, element }) => {
        const html = htmlOf(element);
        if (markup.get(id) === html) return [];
        markup.set(id, html);
        return [{ id, html }];
      });
    },
  };
}
