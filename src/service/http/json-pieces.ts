/** JSON in pieces: what is long is made and written element by element. */

/** A list whose elements are made when they are written: there may be very many. */
export class Elements {
  readonly list: Iterable<unknown>;

  constructor(list: Iterable<unknown>) {
    this.list = list;
  }

  /** For whoever writes it at once. */
  toJSON(): unknown[] {
    return [...this.list];
  }
}

/** Each is made of another when it is written. */
export function elementsOf<T>(list: Iterable<T>, make: (element: T) => unknown): Elements {
  return new Elements(made(list, make));
}

function* made<T>(list: Iterable<T>, make: (element: T) => unknown): Generator {
  for (const element of list) yield make(element);
}

/**
 * The text of `JSON.stringify(value)`. A piece is an element of `Elements`, or a member of an
 * object or a list in which `isLong` holds of one, as a whole where nothing in it is long.
 */
export function* jsonPieces(
  value: unknown,
  isLong: (value: unknown) => boolean = isElements,
): Generator<string> {
  if (value instanceof Elements) yield* listPieces(value.list, isLong);
  else if (!isContainer(value) || !isLongWithin(value, isLong)) yield textOf(value);
  else if (Array.isArray(value)) yield* listPieces(value, isLong);
  else yield* memberPieces(value, isLong);
}

type IsLong = (value: unknown) => boolean;

const isElements: IsLong = (value) => value instanceof Elements;

/** What says itself what it is as JSON is written as a whole. */
const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);

const isLongWithin = (value: object, isLong: IsLong): boolean =>
  Object.values(value).some((one) => isElements(one) || isLong(one));

/** What JSON has no text for is null, as in a list. */
const textOf = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value));

function* listPieces(list: Iterable<unknown>, isLong: IsLong): Generator<string> {
  let before = '[';
  for (const element of list) {
    for (const piece of jsonPieces(element, isLong)) {
      yield before + piece;
      before = '';
    }
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* memberPieces(value: object, isLong: IsLong): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    before += `${JSON.stringify(name)}:`;
    for (const piece of jsonPieces(member, isLong)) {
      yield before + piece;
      before = '';
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
