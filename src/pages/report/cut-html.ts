import { voidElements } from '../build/shallow-html.ts';

/** Truncates HTML from `safeHtml` to `most` bytes. Appends `…` and closes all tags. */
export function cutHtml(html: string, most: number): string {
  if (Buffer.byteLength(html) <= most) return html;
  const open: string[] = [];
  let size = 0;
  let best = '';
  for (const { 0: piece, index } of html.matchAll(pieces)) {
    const left = most - size - closersOf(open).length - Buffer.byteLength(ellipsis);
    if (left <= 0) break;
    if (piece.startsWith('<')) follow(open, piece);
    else {
      const text = textStart(piece, left);
      if (text.trim() !== '') best = html.slice(0, index) + text + ellipsis + closersOf(open);
      if (text !== piece) break;
    }
    size += Buffer.byteLength(piece);
  }
  return best;
}

const ellipsis = '…';

/** Matches tags, entities and text. Attributes contain `<` and `>` only as entities. */
const pieces = /<[^<>]*>|&#?\w+;|[^<&]+|[<&]/g;

function follow(open: string[], tag: string): void {
  const [, slash, name = ''] = /^<(\/?)([^\s/>]*)/.exec(tag) ?? [];
  if (slash === '/') open.pop();
  else if (!tag.endsWith('/>') && !voidElements.has(name)) open.push(name);
}

const closersOf = (open: readonly string[]): string =>
  open
    .toReversed()
    .map((name) => `</${name}>`)
    .join('');

/** Keeps or omits entities as a whole. */
function textStart(piece: string, most: number): string {
  if (Buffer.byteLength(piece) <= most) return piece;
  if (piece.startsWith('&')) return '';
  let text = piece.slice(0, most);
  while (Buffer.byteLength(text) > most)
    text = text.slice(0, -Math.ceil((Buffer.byteLength(text) - most) / 4));
  return text.replace(/[\ud800-\udbff]$/, '');
}
