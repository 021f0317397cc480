import { createJqReader, unclear, type JqReader } from './jq-reader.ts';
import { around, inside, requireValue, shapeOfCall, type Shape } from './jq-shape.ts';

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
