import { unclear } from './jq-reader.ts';

/**
 * What a part of a jq program makes of a list: so many arrays round one of its elements, or a value
 * in which there is no whole element any more.
 */
export type Shape = number | 'value';

export const around = (made: Shape): Shape => (made === 'value' ? made : made + 1);

/** Throws `unclear` for an element, whose members would come out. */
export function inside(made: number): number {
  if (made === 0) throw unclear;
  return made - 1;
}

/** Throws `unclear` for what is no value. */
export function requireValue(made: Shape): 'value' {
  if (made !== 'value') throw unclear;
  return made;
}

/**
 * What a function makes of an input. `argument` reads the one in its brackets, which gets such an
 * input itself; undefined where there is none. Throws `unclear` for functions that are not known.
 */
export function shapeOfCall(
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
