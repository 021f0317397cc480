import { cleanLine } from '../../untrusted-text.ts';
import { percent } from '../../stats/percent.ts';
import type { Example, FlakyStep, Stats } from '../../stats/stats-resource.ts';

/** `web on main: 92% of 100 builds passed (8 failed, 3 neither)`. */
export function headLine({ organization, pipeline, branches, builds }: Stats): string {
  const name = pipeline ?? organization ?? 'all organizations';
  const on = (branches as readonly string[]).join(', ');
  const { runs, failed, others } = builds;
  const rest = [failed > 0 ? `${failed} failed` : '', others > 0 ? `${others} neither` : ''];
  const words = rest.filter((word) => word !== '').join(', ');
  const rate = percent(builds.pass_rate) ?? 'none';
  return cleanLine(
    `${name}${on === '' ? '' : ` on ${on}`}: ${rate} of ${runs} ${runs === 1 ? 'build' : 'builds'} passed${words && ` (${words})`}`,
  );
}

/** A heading and a line a step; nothing where none is flaky. */
export function flakyLines({ flaky }: Stats): string[] {
  if (flaky.length === 0) return [];
  const shown = flaky.slice(0, mostShown).map((step) => cleanLine(flakyLine(step)));
  const rest = flaky.length - shown.length;
  return [
    '',
    'Failed, then passed with nothing changed:',
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more steps; --json has all`] : []),
  ];
}

const mostShown = 10;

const flakyLine = ({ name, count, examples }: FlakyStep): string =>
  `  ${name}, ${count === 1 ? 'once' : `${count} times`}: ${examples.map(exampleText).join('; ')}`;

const exampleText = ({ by, commit, failed, passed }: Example): string =>
  by === 'retry'
    ? `#${failed.number} by a retry`
    : `#${failed.number} and #${passed.number} at ${(commit ?? '').slice(0, 7)}`;
