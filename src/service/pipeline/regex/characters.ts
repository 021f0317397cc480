/** Which single characters a class or an escape stands for. */
export type CharTest = (char: string) => boolean;

interface Characters {
  readonly test: CharTest;
  /** Characters of the pattern that were read. */
  readonly length: number;
}

type Refuse = (message: string, offset: number) => never;

const named: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};

/** `[a-z_]` whose bracket stands at `start`. */
export function readClass(
  source: string,
  start: number,
  ignoreCase: boolean,
  refuse: Refuse,
): Characters {
  const found = /^\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/s.exec(source.slice(start));
  if (found === null) return refuse('the class has no closing `]`', start);
  const [all] = found;
  const inner = all
    .slice(1, -1)
    .replace(/^(\^?)\]/, '$1\\]')
    .replace(/\[:(\w+):\]/g, (whole, name: string) =>
      Object.hasOwn(named, name)
        ? (named[name] ?? '')
        : refuse(`\`${whole}\` is no class of characters`, start),
    )
    .replace(/\\h/g, '0-9A-Fa-f')
    .replace(/\\e/g, '\\x1b')
    .replace(/\\a/g, '\\x07');
  return {
    test: single(`[${inner}]`, ignoreCase, () =>
      refuse(`\`${all}\` is no class of characters`, start),
    ),
    length: all.length,
  };
}

/** `\d`, `\.`, `\x41` whose backslash stands at `start`. */
export function readEscape(
  source: string,
  start: number,
  ignoreCase: boolean,
  refuse: Refuse,
): Characters {
  const [all = ''] =
    /^\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|0[0-7]{0,2}|.)/isu.exec(source.slice(start, start + 6)) ?? [];
  if (all.length < 2) return refuse('`\\` escapes nothing', start);
  const letter = all.slice(1);
  const length = all.length;
  if (letter === 'h') return { test: (char) => /^[0-9a-f]$/i.test(char), length };
  if (letter === 'e' || letter === 'a') {
    const wanted = letter === 'e' ? '\x1b' : '\x07';
    return { test: (char) => char === wanted, length };
  }
  if (letter.startsWith('0')) {
    const wanted = String.fromCharCode(Number.parseInt(letter, 8));
    return { test: (char) => char === wanted, length };
  }
  if (/^[pPRXG]$/.test(letter)) return refuse(`\`${all}\` is not supported`, start);
  if (/^(?:[dDwWsSnrtvf]|x.+|u.+)$/.test(letter)) return { test: single(all, ignoreCase), length };
  const wanted = ignoreCase ? letter.toLowerCase() : letter;
  return { test: (char) => (ignoreCase ? char.toLowerCase() : char) === wanted, length };
}

/**
 * A pattern for one character is safe with the engine of the language. Where it can, it takes
 * characters beyond 16 bits as one; `\-` in a class it does not know then.
 */
function single(pattern: string, ignoreCase: boolean, refuse?: () => never): CharTest {
  const regex =
    compiled(pattern, ignoreCase ? 'iu' : 'u') ?? compiled(pattern, ignoreCase ? 'i' : '');
  if (regex !== undefined) return (char) => regex.test(char);
  if (refuse !== undefined) return refuse();
  throw new Error(`${pattern} is no pattern`);
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^${pattern}$`, flags);
  } catch {
    return undefined;
  }
}
