import type { Stats } from '../../stats/stats-resource.ts';
import { themeStyle } from '../../log/html/colours.ts';
import base from '../assets/base.css?raw';
import { lightStyle } from '../assets/lighten.ts';
import numbers from '../assets/stats.css?raw';
import { type PageContext, pageDocument, filePolicy, reportLink } from '../page-document.tsx';
import { StatsView } from './stats-view.tsx';

/** A self-contained page that loads nothing. `now` is in milliseconds. */
export function statsDocument(stats: Stats, now: number): string {
  const context: PageContext = { now, link: reportLink, formToken: undefined };
  const title = titleOf(stats);
  return pageDocument({
    title,
    crumbs: [{ text: title }],
    assets: { style: statsStyle, policy: filePolicy, generator: 'cictl builds stats' },
    body: (
      <>
        <h1>{title}</h1>
        <StatsView stats={stats} context={context} />
      </>
    ),
  });
}

/** The title includes the branches, because readers of the file do not see the command. */
function titleOf({ organization, pipeline, branches }: Stats): string {
  const on = (branches as readonly string[]).join(', ');
  return `Builds of ${pipeline ?? organization ?? 'all organizations'}${on && ` on ${on}`}`;
}

const statsStyle = [themeStyle, base, numbers].map(lightStyle).join('');
