import type { Browse } from '../support/sign-in.ts';

export interface PageCrawl {
  /** Paths with query and fragment. */
  readonly seen: ReadonlySet<string>;
  /** Broken links, with the page that contains them. */
  readonly broken: readonly string[];
}

interface Link {
  readonly to: string;
  readonly from: string;
}

/** Follows links from the first page while signed in, until every page was visited. */
export async function crawlPages(origin: string, look: Browse): Promise<PageCrawl> {
  const broken: string[] = [];
  const texts = new Map<string, string>();
  const seen = new Set<string>(['/']);
  const open: Link[] = [{ to: '/', from: '' }];
  for (let link = open.pop(); link !== undefined; link = open.pop()) {
    const [path = '', id] = link.to.split('#');
    const text = texts.get(path) ?? (await read(path, look));
    texts.set(path, text ?? '');
    if (text === undefined) broken.push(`${link.to}, on ${link.from}`);
    else if (id && !text.includes(`id="${decodeURIComponent(id)}"`))
      broken.push(`${link.to}, on ${link.from}: there is no such place`);
    for (const to of linksOf(text ?? '', origin + path)) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push({ to, from: link.to });
    }
  }
  return { seen, broken };
}

/** The page; empty if it is not a page; undefined if it does not exist. */
async function read(path: string, look: Browse): Promise<string | undefined> {
  const response = await look(path);
  const text = await response.text();
  const isFound = response.status === 200 || response.status === 303;
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  return isFound ? (isPage ? text : '') : undefined;
}

/** Links with the same origin, without event streams. */
function linksOf(html: string, base: string): string[] {
  const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, text = '']) =>
    text.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
  return addresses.flatMap((text) => {
    const { origin, pathname, search, hash } = new URL(text, base);
    return origin === new URL(base).origin ? [pathname + search + hash] : [];
  });
}
