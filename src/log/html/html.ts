import type { Stage } from '../stage.ts';
import { markStart } from '../time-marks.ts';
import { pageEnd, pageStart } from './page.ts';
import type { PageHead } from './page-head.ts';
import { pageLines } from './page-lines.ts';

/**
 * A page of its own from settled lines with colours, links and one mark a line: sections fold,
 * lines have anchors and times. Nothing of a log becomes markup but what is written here.
 */
export function toHtml(head: PageHead): Stage {
  const lines = pageLines(head.hasFailed === true);
  let isStarted = false;

  return {
    push: (text) => (text === '' ? '' : start(text.includes(markStart)) + lines.write(text)),
    end: () => start(false) + lines.end() + pageEnd,
  };

  /** The page is laid out by whether its lines have times. */
  function start(isTimed: boolean): string {
    if (isStarted) return '';
    isStarted = true;
    return pageStart(head, isTimed);
  }
}
