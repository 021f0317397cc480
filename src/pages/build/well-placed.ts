import { voidElements } from './void-elements.ts';

/**
 * Markup whose tags are closed in order, without those that stand where they may not: entries outside of
 * their list, cells outside of their table. What is in them stays.
 */
export function wellPlaced(html: string): string {
  /** Of the elements that are open: their names, and '' for those that were left out. */
  const open: string[] = [];
  return html.replace(
    /<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g,
    (tag, slash: string, name: string, rest: string) => {
      if (slash !== '') return open.pop() === '' ? '' : tag;
      const parent = open.findLast((one) => one !== '') ?? '';
      const isPlaced = parentsOf[name]?.includes(parent) ?? !onlyEntries.includes(parent);
      if (!voidElements.has(name) && !rest.endsWith('/')) open.push(isPlaced ? name : '');
      return isPlaced ? tag : '';
    },
  );
}

const parentsOf: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  tr: ['table', 'thead', 'tbody', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  thead: ['table'],
  tbody: ['table'],
  tfoot: ['table'],
  summary: ['details'],
};

/** Nothing stands in these but what names them above. */
const onlyEntries = ['ul', 'ol', 'table', 'thead', 'tbody', 'tfoot', 'tr'];
