/** Branch filters of pipelines and steps: `main release/* !wip-*`. */

/**
 * Whether a branch is meant: by no filter at all, or by one pattern and no negated one. Patterns
 * stand apart by white space, or in a list; `*` is any text.
 */
export function branchMatches(filter: string | readonly string[] | null, branch: string): boolean {
  const patterns = [filter ?? []].flat().flatMap((text) => text.split(/\s+/).filter(Boolean));
  const refused = patterns.filter((pattern) => pattern.startsWith('!'));
  if (refused.some((pattern) => matches(pattern.slice(1), branch))) return false;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  return wanted.length === 0 || wanted.some((pattern) => matches(pattern, branch));
}

/** Each part between asterisks is looked for after the one before it: once through the name. */
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
