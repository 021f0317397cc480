/** Problems and notices while a file is read: each text once, with all its places. */
import type { Report, SourcePosition } from './value.ts';

export interface Notes {
  readonly add: Report;
  readonly isEmpty: boolean;
  /** All places of all texts, in the order of the file: `file:line:column: text`. */
  every(file: string): string[];
  /** Each text once, at its first place, with how many more there are. */
  once(file: string): string[];
}

export function createNotes(): Notes {
  const notes = new Map<string, Map<string, SourcePosition>>();
  return {
    add: (at, text) => {
      const places = notes.get(text) ?? new Map<string, SourcePosition>();
      places.set(`${at.line}:${at.column}`, at);
      notes.set(text, places);
    },
    get isEmpty() {
      return notes.size === 0;
    },
    every: (file) =>
      [...notes]
        .flatMap(([text, places]) => [...places.values()].map((at) => ({ text, at })))
        .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
        .map(({ text, at }) => line(file, at, text)),
    once: (file) =>
      [...notes].flatMap(([text, places]) => {
        const [first] = places.values();
        return first ? [line(file, first, text) + more(places.size - 1)] : [];
      }),
  };
}

const line = (file: string, at: SourcePosition, text: string): string =>
  `${file}:${at.line}:${at.column}: ${text}`;

const more = (count: number): string =>
  count === 0 ? '' : ` (and in ${count} more ${count === 1 ? 'place' : 'places'})`;
