/** Reads the text of a jq program from left to right; what it does not know is `unclear`. */
export interface JqReader {
  readonly isAtEnd: () => boolean;
  /** Whether this sign comes next, and is taken. */
  take(sign: string): boolean;
  /** Takes the next sign, name or number. */
  next(): string;
  /** The next sign that is one of these, taken. */
  oneOf(signs: readonly string[]): string | undefined;
  /** The name of a `.name` that comes next, taken. */
  memberName(): string | undefined;
  /** The contents of a text without inserted values, taken where it comes next. */
  text(): string | undefined;
  /** Behind the quotes that open a text; `insert` reads each inserted value and its bracket. */
  restOfText(insert: () => void): void;
  /** Passes over all up to the bracket that closes, a `;`, or one of these, outside of brackets. */
  skip(signs?: string): void;
}

/** Thrown by what reads a program where it is in doubt. */
export const unclear = new Error('unclear');

const tokens =
  /"|\.[A-Za-z_]\w*|\.\.|[A-Za-z_]\w*|\d+|[=!<>]=|\/\/(?!=)|[<>+*/%|-](?!=)|[.,()[\]{}:;?]/y;
/** jq takes control characters as they are, JSON does not. */
const plainText = /"((?:[^"\\\p{Cc}]|\\["\\/bfnrt])*)"/uy;
const textPart = /(?:[^"\\]|\\[^(])*(?:"|\\\()/y;
const notable = /["#;,()[\]{}]/g;

export function createJqReader(program: string): JqReader {
  let at = 0;
  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(program);
  }
  function pass(found: RegExpExecArray | null): string {
    if (found === null) throw unclear;
    at = found.index + found[0].length;
    return found[0];
  }
  const peek = (): string | undefined => {
    pass(match(/\s*/y));
    return match(tokens)?.[0];
  };
  function take(sign: string): boolean {
    if (peek() !== sign) return false;
    at += sign.length;
    return true;
  }
  function restOfText(insert: () => void): void {
    while (pass(match(textPart)).endsWith('(')) insert();
  }
  function skip(signs = ''): void {
    for (let depth = 0; ;) {
      const found = match(notable);
      if (found === null) return void (at = program.length);
      const [sign] = found;
      const isEnd = depth === 0 && `)]};${signs}`.includes(sign);
      if (isEnd) return void (at = found.index);
      pass(found);
      if (sign === '#') throw unclear;
      if (sign === '"') restOfText(insideText);
      else if ('([{'.includes(sign)) depth += 1;
      else if (')]}'.includes(sign)) depth -= 1;
    }
  }
  function insideText(): void {
    skip();
    if (!take(')')) throw unclear;
  }
  return {
    ...{ take, restOfText, skip },
    isAtEnd: () => peek() === undefined && at === program.length,
    next: () => {
      peek();
      return pass(match(tokens));
    },
    oneOf: (signs) => signs.find(take),
    memberName: () => {
      const sign = peek();
      return sign !== undefined && /^\.\w/.test(sign) && take(sign) ? sign.slice(1) : undefined;
    },
    text: () => {
      if (peek() !== '"') return undefined;
      const found = match(plainText);
      if (found === null) return undefined;
      pass(found);
      return JSON.parse(found[0]) as string;
    },
  };
}
