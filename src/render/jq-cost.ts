/**
 * Whether a program of jq may run long on a JSON text: without end, or too long to wait for.
 * Such programs get a thread of their own, which Ctrl-C can end; the others are spared its start.
 */
export function isCostlyJq(program: string, json: string): boolean {
  const bare = withoutTexts(program);
  if (isOpenEnded(bare) || json.length > maxText) return true;
  return maxSteps(bare, json) > enough;
}

/** Whether the program alone says so, on whatever text. */
export const isOpenEndedJq = (program: string): boolean => isOpenEnded(withoutTexts(program));

/** The same of a program that is run on each of several texts, which know nothing of each other. */
export function isCostlyForEach(program: string, texts: readonly string[]): boolean {
  const bare = withoutTexts(program);
  const longest = texts.reduce((most, text) => (text.length > most.length ? text : most), '');
  if (isOpenEnded(bare) || longest.length > maxText) return true;
  return texts.length * maxSteps(bare, longest) > enough;
}

/** Characters of JSON that take about a second. */
const maxText = 8_000_000;
const enough = 10_000_000;

/**
 * Loops, what defines or binds, what walks every path, and what makes large values of small ones.
 */
const openEnded = new Set(
  (
    'def reduce foreach as while until repeat range recurse recurse_down limit skip combinations ' +
    'walk paths leaf_paths tostream fromstream truncate_stream getpath setpath pick transpose ' +
    'test match capture scan splits sub gsub label'
  ).split(' '),
);

const isOpenEnded = (bare: string): boolean =>
  // `*` repeats texts; an assignment makes arrays as long as an index says.
  /\*|(?<![=!<>])=(?!=)/.test(bare) ||
  (bare.match(/(?<![.$@\w])[a-z_]+/g) ?? []).some((word) => openEnded.has(word));

/**
 * A bound on what it does: each `[]` or `..` may take every element for each one before, and each
 * comma, sum or inserted value does all that follows once more.
 */
function maxSteps(bare: string, json: string): number {
  const loops = bare.match(/\[\s*\]|\.\./g)?.length ?? 0;
  const forks = bare.match(/[,+]|\\\(/g)?.length ?? 0;
  return 2 ** forks * (loops === 0 ? 1 : (commasIn(json) + 2) ** loops);
}

function commasIn(json: string): number {
  let count = 0;
  for (let at = json.indexOf(','); at >= 0; at = json.indexOf(',', at + 1)) count += 1;
  return count;
}

/** Texts go, but for those into which values are inserted. */
const withoutTexts = (program: string): string => program.replace(/"(?:[^"\\]|\\[^(])*"/g, '""');
