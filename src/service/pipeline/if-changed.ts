import { matchesRegex, parseRegex, type Regex } from './regex.ts';

/** `if_changed` of a step, its patterns read. */
interface IfChanged {
  readonly include: readonly Glob[];
  readonly exclude: readonly Glob[];
}

/** Whether one of the files is meant: by a pattern of `include`, and by none of `exclude`. */
export const holdsFor = ({ include, exclude }: IfChanged, files: readonly string[]): boolean =>
  files.some(
    (file) =>
      include.some((glob) => matchesGlob(glob, file)) &&
      !exclude.some((glob) => matchesGlob(glob, file)),
  );

// Globs for whole paths: `*` and `?` stay within a folder, `**` does not, `/**` + `/` may also be one
// slash; `{a,b}`, `[abc]`, `[^abc]` (no ranges), and `\` before what is to stand for itself.

export type Glob = Regex;

/** Throws an `Error` whose message says what is wrong with the pattern. */
export function parseGlob(pattern: string): Glob {
  return parseRegex(`^${translated(pattern)}$`, false, () => {
    throw new Error(`the pattern \`${pattern}\` is too large`);
  });
}

/** Whether it fits the whole path, which has `/` between its parts and none before them. */
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
  // A slash that may stay away takes the place of the one after `**`.
  return source.replaceAll(`${optionalFolders}\\/`, optionalFolders);
}

const optionalFolders = `(?:${any}\\/)?`;

/** `**` between two slashes may stand for nothing, with one of them. */
function folders(pattern: string, index: number): string {
  const before = pattern[index - 1];
  const isFirst = before === undefined || before === '/';
  return isFirst && pattern[index + 2] === '/' ? optionalFolders : any;
}

/** An empty class is no character at all. */
function oneOf(inner: string, isNegated: boolean): string {
  const chars = Array.from(inner, literal).join('');
  if (isNegated) return chars === '' ? '(?:.|\\n)' : `(?!\\/)[^${chars}]`;
  return chars === '' ? '(?!)' : `[${chars}]`;
}

const literal = (char: string): string =>
  /^[\w\n\u0080-\u{10ffff}]$/u.test(char) ? char : `\\${char}`;
