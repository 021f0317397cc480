import type { LogLine } from './log-line.ts';

/** Lines of one shape differ in names and numbers alone: `removed 'a'`, `removed 'b'`. */
export const shapeOf = (text: string): string =>
  text
    .slice(0, 300)
    .replace(/(["'`‘])[^"'`’]*["'`’]/g, 'Q')
    .replace(/[^\s=:,()]*[\d/._-][^\s=:,()]*/g, 'N')
    .replace(/\s+/g, ' ')
    .trim();

/** How many lines have the shape of each. */
export function countShapes(lines: readonly LogLine[]): number[] {
  const shapes = lines.map(({ text }) => shapeOf(text));
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return shapes.map((shape) => counts.get(shape) ?? 1);
}
