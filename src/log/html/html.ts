import { splitMark } from '../time-marks.ts';
import { opensSection, readHeader } from '../sections.ts';
import type { Stage } from '../stage.ts';
import { plain, styleAfter } from '../style.ts';
import { lineEnd } from '../text.ts';
import { clockTimes } from '../format-time.ts';
import { lineContent } from './content.ts';
import { fold } from './fold.ts';
import { pageEnd, pageStart } from './page.ts';
import { spans } from './span.ts';

/**
 * A page of its own from settled lines with colours, links and one mark a line: sections fold,
 * lines have anchors and times. Nothing of a log becomes markup but what is written here.
 */
export function toHtml(title: string): Stage {
  const section = fold();
  const spanOf = spans();
  const clockTime = clockTimes();
  let style = plain;
  let number = 0;
  let started = false;

  return {
    push(lines) {
      let html = start();
      for (let at = 0; at < lines.length;) {
        const end = lineEnd(lines, at);
        html += htmlLine(lines.slice(at, lines[end - 1] === '\n' ? end - 1 : end));
        at = end;
      }
      return html;
    },
    end: () => start() + section.end() + pageEnd,
  };

  function start(): string {
    if (started) return '';
    started = true;
    return pageStart(title);
  }

  function htmlLine(line: string): string {
    const { time, rest } = splitMark(line);
    const id = `L${++number}`;
    const clock = time === undefined ? '' : `<time>${clockTime(time)}</time>`;
    const before = `<a href="#${id}">${number}</a>${clock}`;
    const header = readHeader(rest);
    if (header !== undefined || opensSection(rest)) style = styleAfter(style, rest);
    if (header !== undefined) return section.begin(header, { id, before });
    if (opensSection(rest)) return section.open();
    const content = lineContent(rest, style, spanOf);
    style = content.style;
    return section.add(`<div id="${id}">${before}${content.html}</div>\n`);
  }
}
