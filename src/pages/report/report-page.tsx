import type { Child } from 'hono/jsx';
import { pageDocument, type Crumb, filePolicy } from '../page-document.tsx';
import { classStyle, themeStyle } from '../../log/html/colours.ts';
import base from '../assets/base.css?raw';
import build from '../assets/build.css?raw';
import { lightStyle } from '../assets/lighten.ts';
import report from './report.css?raw';

/** What stands round the parts of a report. */
export interface ReportPage {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** What made it, when, and of which service: the last line. */
  readonly origin: string;
  readonly body: Child;
}

/** The page but for its logs, which belong between: they are written one at a time. */
interface ReportFrame {
  readonly start: string;
  readonly end: string;
}

/** A page of its own, without a script, that loads nothing. */
export function reportFrame({ title, crumbs, origin, body }: ReportPage): ReportFrame {
  const html = pageDocument({
    title,
    crumbs,
    assets: { style: reportStyle, policy: filePolicy, generator: 'cictl builds report' },
    body: (
      <>
        {body}
        <footer class="origin">{origin}</footer>
      </>
    ),
  });
  // The last of them: no text is markup.
  const end = html.lastIndexOf('<footer class="origin">');
  return { start: html.slice(0, end), end: html.slice(end) };
}

/** All that a report needs of the style of the pages. */
const reportStyle = [themeStyle, base, build, report, classStyle].map(lightStyle).join('');
