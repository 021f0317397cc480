/**
 * The members that a program of jq reads of the elements of a list, where it prints and compares
 * nothing else of them, so that the rest can be left out before it runs. Undefined where it does,
 * and where that is hard to say: only what lists are mostly asked is understood.
 */
export function membersRead(program: string): readonly string[] | undefined {
  const [reader, members] = [createJqReader(program), new Set<string>()];
  try {
    const made = pipe({ reader, members }, 1);
    return made === 'value' && reader.isAtEnd() ? [...members] : undefined;
  } catch (error) {
    if (error === unclear) return undefined;
    throw error;
  }
}

interface Reading {
  readonly reader: JqReader;
  readonly members: Set<string>;
}

/** What `a | b` makes of an input. Behind a value everything goes, since no element is left. */
function pipe(reading: Reading, input: number, until = ''): Shape {
  const { reader } = reading;
  const made = expression(reading, input, until === '');
  if (!reader.take('|')) return made;
  if (made !== 'value') return pipe(reading, made, until);
  reader.skip(until);
  return 'value';
}

const operators = ['==', '!=', '<=', '>=', '<', '>', '//', '+', '-', '*', '/', '%', 'and', 'or'];

function expression(reading: Reading, input: number, hasCommas: boolean): Shape {
  const { reader } = reading;
  const signs = hasCommas ? [...operators, ','] : operators;
  const made = operand(reading, input);
  for (let sign = reader.oneOf(signs); sign !== undefined; sign = reader.oneOf(signs)) {
    const other = operand(reading, input);
    if (other !== made || (sign !== ',' && made !== 'value')) throw unclear;
  }
  return made;
}

function operand(reading: Reading, input: number): Shape {
  const isNegated = reading.reader.take('-');
  let made = term(reading, input);
  for (;;) {
    const next = suffix(reading, made, input);
    if (next === undefined) return isNegated ? requireValue(made) : made;
    made = next;
  }
}

function term(reading: Reading, input: number): Shape {
  const { reader } = reading;
  if (reader.text() !== undefined) return 'value';
  const sign = reader.next();
  if (sign === '.') return quotedMember(reading, input) ?? input;
  if (/^\.\w/.test(sign)) return member(reading, input, sign.slice(1));
  if (/^\d/.test(sign)) return 'value';
  if (/^\w/.test(sign)) return call(reading, input, sign);
  return bracketed(reading, input, sign);
}

function call(reading: Reading, input: number, name: string): Shape {
  const { reader } = reading;
  return shapeOfCall(name, input, (of) =>
    reader.take('(') ? closed(reading, of, ')') : undefined,
  );
}

function bracketed(reading: Reading, input: number, sign: string): Shape {
  const { reader } = reading;
  if (sign === '"') return insertedText(reading, input);
  if (sign === '{') return object(reading, input);
  if (sign === '(') return closed(reading, input, ')');
  if (sign !== '[') throw unclear;
  return reader.take(']') ? 'value' : around(closed(reading, input, ']'));
}

function closed(reading: Reading, input: number, bracket: string): Shape {
  const made = pipe(reading, input);
  expect(reading, bracket);
  return made;
}

function expect({ reader }: Reading, sign: string): void {
  if (!reader.take(sign)) throw unclear;
}

function insertedText(reading: Reading, input: number): Shape {
  reading.reader.restOfText(() => requireValue(closed(reading, input, ')')));
  return 'value';
}

/** What follows a term, or undefined. An index may read of the term's own input. */
function suffix(reading: Reading, made: Shape, input: number): Shape | undefined {
  const { reader } = reading;
  if (reader.take('?')) return made;
  if (reader.take('[')) return index(reading, made, input);
  const name = reader.memberName();
  if (name !== undefined) return member(reading, made, name);
  if (!reader.take('.')) return undefined;
  const quoted = quotedMember(reading, made);
  if (quoted !== undefined) return quoted;
  expect(reading, '[');
  return index(reading, made, input);
}

function index(reading: Reading, made: Shape, input: number): Shape {
  if (made === 0) {
    const found = quotedMember(reading, made);
    expect(reading, ']');
    return found ?? inside(made);
  }
  const { reader } = reading;
  const one = made === 'value' ? made : inside(made);
  if (reader.take(']')) return one;
  const number = made === 'value' ? () => void closedValue(reading, input) : () => count(reader);
  if (!reader.take(':')) {
    number();
    if (reader.take(']')) return one;
    expect(reading, ':');
    if (reader.take(']')) return made;
  }
  number();
  expect(reading, ']');
  return made;
}

const closedValue = (reading: Reading, input: number): Shape => requireValue(pipe(reading, input));

/** An array as index would look for elements that are like its own. */
function count(reader: JqReader): void {
  reader.take('-');
  if (!/^\d/.test(reader.next())) throw unclear;
}

function quotedMember(reading: Reading, made: Shape): Shape | undefined {
  const name = reading.reader.text();
  return name === undefined ? undefined : member(reading, made, name);
}

/** Of an array it is an error, whatever its elements have. */
function member({ members }: Reading, made: Shape, name: string): Shape {
  if (made === 0) members.add(name);
  return 'value';
}

function object(reading: Reading, input: number): Shape {
  const { reader } = reading;
  for (let isFirst = true; !reader.take('}'); isFirst = false) {
    if (!isFirst) expect(reading, ',');
    const name = keyOf(reading, input);
    if (reader.take(':')) requireValue(pipe(reading, input, ',}'));
    else if (name === undefined) throw unclear;
    else member(reading, input, name);
  }
  return 'value';
}

/** Undefined where it is made of what is there. */
function keyOf(reading: Reading, input: number): string | undefined {
  const { reader } = reading;
  const name = reader.text();
  if (name !== undefined) return name;
  const sign = reader.next();
  if (/^[A-Za-z_]/.test(sign)) return sign;
  if (sign === '"') insertedText(reading, input);
  else if (sign === '(') requireValue(closed(reading, input, ')'));
  else throw unclear;
  return undefined;
}

/** Reads the text of a jq program from left to right; what it does not know is `unclear`. */
interface JqReader {
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
const unclear = new Error('unclear');

const tokens =
  /"|\.[A-Za-z_]\w*|\.\.|[A-Za-z_]\w*|\d+|[=!<>]=|\/\/(?!=)|[<>+*/%|-](?!=)|[.,()[\]{}:;?]/y;
/** jq takes control characters as they are, JSON does not. */
const plainText = /"((?:[^"\\\p{Cc}]|\\["\\/bfnrt])*)"/uy;
const textPart = /(?:[^"\\]|\\[^(])*(?:"|\\\()/y;
const notable = /["#;,()[\]{}]/g;

function createJqReader(program: string): JqReader {
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

/**
 * What a part of a jq program makes of a list: so many arrays round one of its elements, or a value
 * in which there is no whole element any more.
 */
type Shape = number | 'value';

const around = (made: Shape): Shape => (made === 'value' ? made : made + 1);

/** Throws `unclear` for an element, whose members would come out. */
function inside(made: number): number {
  if (made === 0) throw unclear;
  return made - 1;
}

/** Throws `unclear` for what is no value. */
function requireValue(made: Shape): 'value' {
  if (made !== 'value') throw unclear;
  return made;
}

/**
 * What a function makes of an input. `argument` reads the one in its brackets, which gets such an
 * input itself; undefined where there is none. Throws `unclear` for functions that are not known.
 */
function shapeOfCall(
  name: string,
  input: number,
  argument: (of: number) => Shape | undefined,
): Shape {
  /** For what is reckoned by a value of each element. */
  const by = (made: Shape): Shape => {
    requireValue(argument(inside(input)) ?? fail());
    return made;
  };
  if (values.has(name)) return 'value';
  switch (name) {
    case 'select':
      requireValue(argument(input) ?? fail());
      return input;
    case 'first':
    case 'last':
      return argument(input) ?? inside(input);
    case 'length':
      inside(input);
      return 'value';
    case 'reverse':
      return around(inside(input));
    case 'map':
      return around(argument(inside(input)) ?? fail());
    case 'any':
    case 'all':
      return by('value');
    case 'min_by':
    case 'max_by':
      return by(inside(input));
    case 'sort_by':
    case 'unique_by':
      return by(input);
    case 'group_by':
      return by(around(input));
    default:
      return fail();
  }
}

const values = new Set(['true', 'false', 'null', 'empty', 'type']);

function fail(): never {
  throw unclear;
}
