import { pagePaths } from './page-paths.ts';

export interface PageAddress {
  /** `GET`, `HEAD` and `POST` as far as they are taken; none where there is no page. */
  readonly methods: readonly string[];
  /** The parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** What can be asked of an address of the pages. It may end in a slash, and what it names need not be there. */
export function methodsAt(pathname: string): PageAddress {
  const path = pathname.replace(/(.)\/$/, '$1');
  const found = patterns.filter(
    ({ pattern, isOurs }) => isOurs === ours.test(path) && pattern.test(path),
  );
  const methods = new Set(found.flatMap(({ method }) => (method === 'GET' ? gets : [method])));
  const groups = found[0]?.pattern.exec(path)?.groups ?? {};
  const params = Object.entries(groups).map(([name, text]) => [name, decoded(text)] as const);
  return { methods: [...methods], params: Object.fromEntries(params) };
}

const gets = ['GET', 'HEAD'];
/** `-` is no slug. */
const ours = /^\/-\//;

const patterns = Object.entries(pagePaths)
  .filter(([name]) => name !== 'other')
  .map(([, [method, path]]) => ({
    method,
    isOurs: ours.test(path),
    pattern: new RegExp(`^${path.replace('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
