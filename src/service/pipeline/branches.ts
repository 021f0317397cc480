/**
 * Checks a branch against a filter such as `main release/* !wip-*`. The branch must match at least
 * one pattern without `!`, if there are any, and no pattern with `!`. `*` matches any text.
 */
export function branchMatches(filter: string | readonly string[] | null, branch: string): boolean {
  const patterns = [filter ?? []].flat().flatMap((text) => text.split(/\s+/).filter(Boolean));
  const excluded = patterns.filter((pattern) => pattern.startsWith('!'));
  if (excluded.some((pattern) => matches(pattern.slice(1), branch))) return false;
  const included = patterns.filter((pattern) => !pattern.startsWith('!'));
  return included.length === 0 || included.some((pattern) => matches(pattern, branch));
}

/** Runs in linear time, because the search for each part starts after the previous match. */
function matches(pattern: string, branch: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === branch;
  if (!branch.startsWith(first)) return false;
  let index = first.length;
  for (const part of rest) {
    const found = branch.indexOf(part, index);
    if (found === -1) return false;
    index = found + part.length;
  }
  return branch.length - last.length >= index && branch.endsWith(last);
}
