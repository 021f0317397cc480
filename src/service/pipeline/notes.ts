/** Problems and notices while a file is read: each text once, with all its places. */
import type { Report, SourcePosition } from './value.ts';

export interface Notes {
  readonly add: Report;
  readonly isEmpty: boolean;
  /**
   * All places of all texts, in the order of the file: `file:line:column: text`. Of more than
   * `maxProblems` the first, and a line that there are more.
   */
  every(file: string): string[];
  /** Each text once, at its first place, with how many more there are. */
  once(file: string): string[];
}

/** Nobody reads more, and a file may have one in each of its characters. */
export const maxProblems = 1000;

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
    every(file) {
      const all = [...notes]
        .flatMap(([text, places]) => [...places.values()].map((at) => ({ text, at })))
        .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
      const shown = all.slice(0, maxProblems).map(({ text, at }) => line(file, at, text));
      return all.length === shown.length ? shown : [...shown, `${file}: there are more problems`];
    },
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
