import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

interface GlobOptions {
  readonly followLinks: boolean;
}

/**
 * Finds files by pattern: `*`, `?`, `[a-c]`, `**` for any number of directories, `{a,b}`. Returns
 * sorted paths. They are relative to `folder` unless the pattern is absolute. Directories that
 * cannot be read are treated as empty.
 */
export function glob(folder: string, pattern: string, options: GlobOptions): string[] {
  const found = new Set<string>();
  for (const one of braces(pattern)) {
    const parts = one.split('/').filter((part) => part !== '' && part !== '.');
    const state: Walk = { folder, options, found, seen: new Set(), chain: [] };
    walk(state, one.startsWith('/') ? '/' : '', parts);
  }
  return [...found].sort();
}

interface Walk {
  readonly folder: string;
  readonly options: GlobOptions;
  readonly found: Set<string>;
  /** Visited paths, each with the rest of its pattern. `**` can reach a path repeatedly. */
  readonly seen: Set<string>;
  /** Targets of the links on the way to this path. Another link to one of them would be a cycle. */
  readonly chain: readonly string[];
}

function walk(state: Walk, path: string, [part, ...rest]: readonly string[]): void {
  const place = `${path}\0${[part, ...rest].join('/')}`;
  if (state.seen.has(place)) return;
  state.seen.add(place);
  if (part === undefined) {
    if (kindOf(state, path) === 'file') state.found.add(path);
    return;
  }
  if (part === '**') {
    walkDeep(state, path, rest);
    return;
  }
  if (!isPattern.test(part)) {
    const literal = below(path, part.replaceAll(/\\(.)/g, '$1'));
    if (rest.length === 0 || kindOf(state, literal) === 'folder') walk(state, literal, rest);
    return;
  }
  const fits = segment(part);
  for (const { name } of entriesOf(state, path))
    if (fits.test(name) && (rest.length === 0 || kindOf(state, below(path, name)) === 'folder'))
      walk(state, below(path, name), rest);
}

function walkDeep(state: Walk, path: string, rest: readonly string[]): void {
  const after = rest.length === 0 ? ['*'] : rest;
  walk(state, path, after);
  for (const entry of entriesOf(state, path)) {
    const inner = below(path, entry.name);
    if (entry.isDirectory()) walk(state, inner, ['**', ...after]);
    else if (entry.isSymbolicLink() && state.options.followLinks)
      walkLink(state, path, inner, ['**', ...after]);
  }
}

function walkLink(state: Walk, path: string, link: string, parts: readonly string[]): void {
  if (kindOf(state, link) !== 'folder') return;
  const [from, to] = [path, link].map((one) => realpathSync(absolute(state.folder, one)));
  if (from === undefined || to === undefined || state.chain.includes(to)) return;
  if (!`${from}/`.startsWith(`${to}/`))
    walk({ ...state, chain: [...state.chain, to] }, link, parts);
}

const isPattern = /(?<!\\)[*?[]/;

const below = (path: string, name: string): string =>
  path === '' || path === '/' ? path + name : `${path}/${name}`;

function entriesOf({ folder }: Walk, path: string): Dirent[] {
  try {
    return readdirSync(absolute(folder, path), { withFileTypes: true });
  } catch {
    return [];
  }
}

function kindOf({ folder }: Walk, path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(absolute(folder, path));
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : undefined;
  } catch {
    return undefined;
  }
}

const absolute = (folder: string, path: string): string =>
  path.startsWith('/') ? path : join(folder, path);

function segment(pattern: string): RegExp {
  const source = pattern.replaceAll(
    /\\(.)|\[([!^]?)((?:\\.|[^\]\\])+)\]|([*?])|([$()+./[\]^{|}])/g,
    (_, escaped?: string, not?: string, set?: string, wild?: string, plain?: string) => {
      if (set !== undefined) return `[${not === '' ? '' : '^'}${set.replaceAll('[', '\\[')}]`;
      if (wild !== undefined) return wild === '*' ? '.*' : '.';
      return (escaped ?? plain ?? '').replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`);
    },
  );
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    // An invalid pattern matches nothing.
    return /(?!)/;
  }
}

/** Expands `a{b,c}` to `ab` and `ac`. */
export function braces(pattern: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/su.exec(pattern);
  if (match === null) return [pattern];
  const [, before = '', choices = '', after = ''] = match;
  const all = choices.split(',').flatMap((choice) => braces(before + choice + after));
  return [...new Set(all)];
}
