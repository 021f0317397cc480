/** Damages JSON documents at random, the same way for the same seed. */

/** Random numbers from 0 to 1. The same seed gives the same numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pickFrom = <T>(values: readonly T[], random: () => number): T =>
  values[Math.floor(random() * values.length)] as T;

/** The JSON text of `document` with one to three values damaged. */
export function mutate(document: unknown, random: () => number): string {
  const copy: unknown = structuredClone(document);
  const all = membersIn(copy);
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const { holder, key } = pickFrom(all, random);
    const value = pickFrom(damages, random);
    if (value === gone) Reflect.deleteProperty(holder, key);
    else if (Array.isArray(holder) || key !== '__proto__') Reflect.set(holder, key, value);
  }
  // JavaScript cannot represent these numbers, so they are inserted into the text.
  return JSON.stringify(copy).replaceAll(/"number:([^"]*)"/g, '$1');
}

const gone = Symbol('gone');

const damages: readonly unknown[] = [
  ...[gone, null, true, false, 0, -1, 7.5, 1e21],
  ...['number:9007199254740993', 'number:1e400', 'number:-0'],
  ...['', 'x', '../..', '7', ' \t\n', 'a\0b', '\x1b]0;x\x07', '\u202egnp', '\ud800', '2026-13-45'],
  ...['é日👍'.repeat(50), 'passed', 'running', 'blocked', 'retried', 'https://e/x?y#z'],
  ...[[], [null], [[]], ['a', 1], [{}], {}, { a: 1 }, { id: 5 }, { length: 3 }, [[[{}]]]],
  JSON.parse('{"__proto__":{"state":1},"constructor":2}') as unknown,
];

interface JsonMember {
  readonly holder: object;
  readonly key: string;
}

/** Every value in every nested object and array. */
function membersIn(value: unknown): JsonMember[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value, key },
    ...membersIn(inner),
  ]);
}
