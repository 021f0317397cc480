/**
 * Runs in the page after axe-core. Returns one line per violation, with its first element and the
 * reason.
 */
export default async function accessibility(values) {
  const { violations } = await window.axe.run({ runOnly: { type: 'tag', values } });
  return violations.map(({ id, nodes: [first, ...more] }) => {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return `${id}${others}: ${first.html.slice(0, 200)} ${first.failureSummary}`;
  });
}
