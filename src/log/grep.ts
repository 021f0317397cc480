import type { GrepPattern } from './grep-pattern.ts';
import { visible } from './sections.ts';
import type { Stage } from './stage.ts';
import { mapLines } from './text.ts';

export interface GrepOptions {
  /** Tried on the text of each line, without colours and newline. */
  readonly pattern: GrepPattern;
  /** The lines that do not match. */
  readonly invert?: boolean;
  /** Lines of context; where one is given, even 0, `--` stands between parts that do not meet. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Passes the lines that match, with their context. */
export function grep({ pattern, invert = false, ...options }: GrepOptions): Stage {
  const { before = 0, after = 0 } = options;
  const separates = options.before !== undefined || options.after !== undefined;
  const context: string[] = [];
  let following = 0;
  /** Whether a line was passed, and whether one was left out since. */
  let passed = false;
  let gap = false;

  return { push: (lines) => mapLines(lines, mapLine), end: () => '' };

  function mapLine(line: string): string {
    if (pattern.test(visible(line)) !== invert) return pass(line, after);
    if (following > 0) return pass(line, following - 1);
    if (context.push(line) > before) {
      context.shift();
      gap = true;
    }
    return '';
  }

  function pass(line: string, more: number): string {
    const separator = passed && gap && separates ? '--\n' : '';
    const lines = separator + context.splice(0).join('') + line;
    following = more;
    passed = true;
    gap = false;
    return lines;
  }
}
