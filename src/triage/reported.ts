import { visible } from '../log/sections.ts';

/**
 * Whether a line is part of what a tool reports and merely looks like the header of a section: a
 * result of `go test` (`--- FAIL: TestCart (0.00s)`), or the names of two files that are compared.
 */
export function isReported(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (!/[-+]{3}[ \t]/.test(line.slice(0, 80))) return false;
  if (/^--- (?:FAIL|PASS|SKIP|BENCH): \S/.test(visible(line))) return true;
  return isPair(lines, at) || isPair(lines, at - 1);
}

/** `--- a/x`, `+++ b/x`, and where they differ. */
const isPair = (lines: readonly string[], at: number): boolean =>
  [/^--- \S/, /^\+\+\+ \S/, /^@@ /].every((pattern, after) =>
    pattern.test(visible(lines[at + after] ?? '')),
  );
