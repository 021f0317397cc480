import { matchesRegex, parseRegex, type Regex } from './regex.ts';

/** Whether at least one file matches a pattern in `include` and no pattern in `exclude`. */
export const holdsFor = (
  { include, exclude }: { readonly include: readonly Glob[]; readonly exclude: readonly Glob[] },
  files: readonly string[],
): boolean =>
  files.some(
    (file) =>
      include.some((glob) => matchesGlob(glob, file)) &&
      !exclude.some((glob) => matchesGlob(glob, file)),
  );

export type Glob = Regex;

/**
 * Parses a glob that must match the entire path. `*` and `?` do not match a slash; `**` does.
 * Between slashes, `**` matches zero or more directories. Supports `{a,b}`, `[abc]`, `[^abc]` (no
 * ranges) and escapes with `\`. Throws an `Error` with a message for the user.
 */
export function parseGlob(pattern: string): Glob {
  return parseRegex(`^${translated(pattern)}$`, false, () => {
    throw new Error(`the pattern \`${pattern}\` is too large`);
  });
}

export const matchesGlob = (glob: Glob, path: string): boolean => matchesRegex(glob, path);

const any = '(?:.|\\n)*';
const signs = /\\(.?)|\*\*|\*|\?|\[(\^?)([^\]]*)\]|[[{},]|[^]/gsu;

function translated(pattern: string): string {
  let depth = 0;
  const source = pattern.replace(signs, (sign, escaped, negated, inner, index: number) => {
    if (sign === '{') depth++;
    if (sign === '}' && depth > 0) {
      depth--;
      return ')';
    }
    if (sign === '{') return '(?:';
    if (sign === ',' && depth > 0) return '|';
    if (sign === '[') throw new Error(`the pattern \`${pattern}\` has a \`[\` without \`]\``);
    if (typeof inner === 'string') return oneOf(inner, negated === '^');
    if (sign === '**') return folders(pattern, index);
    if (sign === '*') return '[^/]*';
    if (sign === '?') return '[^/]';
    return literal(typeof escaped === 'string' && escaped !== '' ? escaped : sign);
  });
  if (depth > 0) throw new Error(`the pattern \`${pattern}\` has a \`{\` without \`}\``);
  // The slash after `**` is optional, so that `a/**/b` matches `a/b`.
  return source.replaceAll(`${optionalFolders}\\/`, optionalFolders);
}

const optionalFolders = `(?:${any}\\/)?`;

/** Between slashes, `**` matches zero or more directories. Elsewhere, it matches any text. */
function folders(pattern: string, index: number): string {
  const before = pattern[index - 1];
  const isFirst = before === undefined || before === '/';
  return isFirst && pattern[index + 2] === '/' ? optionalFolders : any;
}

/** An empty class (`[]`) matches no character. */
function oneOf(inner: string, isNegated: boolean): string {
  const chars = Array.from(inner, literal).join('');
  if (isNegated) return chars === '' ? '(?:.|\\n)' : `(?!\\/)[^${chars}]`;
  return chars === '' ? '(?!)' : `[${chars}]`;
}

const literal = (char: string): string =>
  /^[\w\n\u0080-\u{10ffff}]$/u.test(char) ? char : `\\${char}`;
