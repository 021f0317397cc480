/** Truncates HTML that is nested too deeply, because parsing it takes quadratic time. */
export function shallowHtml(html: string): string {
  const open: string[] = [];
  for (const { 0: tag, 1: slash, 2: word = '', index } of html.matchAll(tags)) {
    const name = word.toLowerCase();
    if (voidElements.has(name) || tag.endsWith('/>')) continue;
    if (slash === '/') close(open, name);
    else {
      while (closedBy.get(name)?.includes(open.at(-1) ?? '') === true) open.pop();
      open.push(name);
    }
    if (open.length > deepest) return html.slice(0, index);
  }
  return html;
}

export const deepest = 256;

const tags = /<(\/?)([a-z][^\s<>/]*)[^<>]*>?/gi;

/** Tags that implicitly close the previous element. */
const closedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['p', ['p']],
  ['li', ['li']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['tr', ['tr', 'td', 'th']],
  ['td', ['td', 'th', 'thead']],
  ['th', ['th']],
]);

function close(open: string[], name: string): void {
  const at = open.lastIndexOf(name);
  if (at >= 0) open.length = at;
}

export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source wbr'.split(' '),
);
