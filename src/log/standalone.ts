import type { Stage } from './stage.ts';
import { plain, styleAfter, transition, type Style } from './style.ts';
import { mapLines } from './text.ts';

/** Makes each line stand alone: it begins with the style in force and leaves none behind. */
export function standalone(): Stage {
  let style: Style = plain;
  return { push: (lines) => mapLines(lines, mapLine), end: () => '' };

  function mapLine(line: string): string {
    const before = style;
    style = styleAfter(style, line);
    if (before === style && before.sgr === '') return line;
    const end = line.endsWith('\n') ? '\n' : '';
    const text = line.slice(0, line.length - end.length);
    return transition(plain, before) + text + transition(style, plain) + end;
  }
}

/** Ends the log with the style that it began with. */
export function closeStyle(): Stage {
  let style: Style = plain;
  return {
    push(lines) {
      style = styleAfter(style, lines);
      return lines;
    },
    end: () => transition(style, plain),
  };
}
