/** Which jobs of a build are listed, as the address of its page says it. */
export interface WantedJobs {
  /** A part of what their rows begin with; empty for any. */
  readonly text: string;
  /** Empty for any. */
  readonly state: string;
  /** From 1. */
  readonly page: number;
  /** The id of one that is to be on the page, which is another page then; empty where none is named. */
  readonly job: string;
}

/** On one page: a browser takes seconds for ten thousand rows. */
export const mostListed = 1000;

export const allJobs: WantedJobs = { text: '', state: '', page: 1, job: '' };

/** By the query of an address. */
export const wantedJobs = (query: URLSearchParams): WantedJobs => ({
  text: query.get('q')?.trim() ?? '',
  state: query.get('state') ?? '',
  page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
  job: query.get('job') ?? '',
});

/** The query for them: what is usual is left out. */
export function wantedQuery({ text, state, page, job }: WantedJobs): Record<string, string> {
  const all = { q: text, state, page: page === 1 ? '' : String(page), job };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** The list of them: `path` of the build. */
export function wantedHref(path: string, wanted: Partial<WantedJobs>): string {
  const query = new URLSearchParams(wantedQuery({ ...allJobs, ...wanted })).toString();
  return `${path}${query && `?${query}`}#jobs`;
}
