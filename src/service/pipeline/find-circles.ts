/**
 * Circles of a graph, as the nodes on the way round. Each node is looked at once, so that of
 * circles which share nodes not all are found, but never none.
 */
export function findCircles(edges: readonly (readonly number[])[]): number[][] {
  const circles: number[][] = [];
  const done = new Set<number>();
  const place = new Map<number, number>();
  for (const start of edges.keys()) {
    const way: { node: number; next: number }[] = [];
    const enter = (node: number): void => {
      place.set(node, way.length);
      way.push({ node, next: 0 });
    };
    if (!done.has(start)) enter(start);
    // No recursion: a chain may be as long as the file.
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const to = edges[top.node]?.[top.next++];
      if (to === undefined) {
        done.add(top.node);
        place.delete(top.node);
        way.pop();
        continue;
      }
      const from = place.get(to);
      if (from !== undefined) circles.push(way.slice(from).map(({ node }) => node));
      else if (!done.has(to)) enter(to);
    }
  }
  return circles;
}
