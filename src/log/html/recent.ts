/** Markup that is not written yet, in the pieces in which it came. */
export interface Recent {
  add(html: string): void;
  size(): number;
  /** Takes pieces from the front until no more than `most` is left, or one piece. */
  takeAbove(most: number): string;
  /** Takes what goes on with the line that was taken last, where that was but a part of one. */
  takeRestOfLine(): string;
  takeAll(): string;
}

export function recent(): Recent {
  let pieces: string[] = [];
  let size = 0;
  let isTorn = false;

  return {
    add(html) {
      if (html === '') return;
      pieces.push(html);
      size += html.length;
    },
    size: () => size,
    takeAbove: (most) => takeWhile((left) => size > most && left > 1),
    takeRestOfLine: () => takeWhile(() => isTorn),
    takeAll() {
      const all = pieces.join('');
      pieces = [];
      size = 0;
      isTorn = false;
      return all;
    },
  };

  /** `isWanted` is asked before each piece, with the number that is left. */
  function takeWhile(isWanted: (left: number) => boolean): string {
    let count = 0;
    while (count < pieces.length && isWanted(pieces.length - count)) {
      const piece = pieces[count++] ?? '';
      size -= piece.length;
      isTorn = !piece.endsWith('\n');
    }
    const taken = pieces.slice(0, count).join('');
    pieces = pieces.slice(count);
    return taken;
  }
}
