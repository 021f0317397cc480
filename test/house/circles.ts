/** Finds circular imports with Tarjan's algorithm. */

type Graph = ReadonlyMap<string, readonly string[]>;

/** The cycles of more than one node. Ignores targets that are not keys of the graph. */
export function circles(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];

  const visit = (node: string): number => {
    let low = order.size;
    order.set(node, low);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === order.get(node)) found.push(open.splice(open.indexOf(node)));
    return low;
  };

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found.filter((circle) => circle.length > 1);
}
