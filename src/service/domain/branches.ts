/** Branch filters of pipelines: `main release/* !wip-*`. */

/**
 * Whether a branch is meant: by no filter at all, or by one pattern and no negated one. Patterns
 * stand apart by white space; `*` is any text.
 */
export function branchMatches(filter: string | null, branch: string): boolean {
  const patterns = (filter ?? '').split(/\s+/).filter((pattern) => pattern !== '');
  const refused = patterns.filter((pattern) => pattern.startsWith('!'));
  if (refused.some((pattern) => matches(pattern.slice(1), branch))) return false;
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  return wanted.length === 0 || wanted.some((pattern) => matches(pattern, branch));
}

const matches = (pattern: string, branch: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`, 's').test(branch);

const escape = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
