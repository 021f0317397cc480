/** The tags of an agent as its jobs find them. */

/** `os=linux` is `BUILDKITE_AGENT_META_DATA_OS`; of several values of one tag the first counts. */
export function tagVariables(tags: readonly string[]): Record<string, string> {
  const pairs = tags.map((tag): [string, string] => {
    const mark = tag.indexOf('=');
    const [key, value] = mark < 0 ? [tag, 'true'] : [tag.slice(0, mark), tag.slice(mark + 1)];
    return [`BUILDKITE_AGENT_META_DATA_${key.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`, value];
  });
  return Object.fromEntries(pairs.reverse());
}
