/** What the aliases of a document stand for. */
import { isAlias, isMap, isPair, isSeq, type Alias, type Document, type Node } from 'yaml';

/**
 * The target of each alias, found in one walk in the order of the file: an anchor that is given
 * again counts from there on. The library's own way walks the document anew for each alias.
 */
export function findTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) {
      open.push(node.value, node.key);
    } else if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    } else if (isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      for (let index = node.items.length - 1; index >= 0; index--) open.push(node.items[index]);
    } else if (hasAnchor(node)) {
      anchors.set(node.anchor, node);
    }
  }
  return targets;
}

const hasAnchor = (node: unknown): node is Node & { anchor: string } =>
  typeof node === 'object' && node !== null && 'anchor' in node && typeof node.anchor === 'string';
