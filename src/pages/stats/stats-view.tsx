/** The numbers over many builds: what `builds stats` shows as a table. */
import { type Stats, percent } from '../../stats/stats-resource.ts';
import type { PageContext } from '../page-context.ts';
import { FlakySteps } from './flaky-steps.tsx';
import { StepTable } from './step-table.tsx';
import { took } from './took.ts';
import { Trend } from './trend.tsx';

export const StatsView = ({
  stats,
  context,
}: {
  readonly stats: Stats;
  readonly context: PageContext;
}) =>
  stats.builds.runs + stats.builds.others === 0 ? (
    <p>No finished builds found.</p>
  ) : (
    <>
      <BuildNumbers {...stats} />
      <StepTable {...stats} />
      <FlakySteps {...stats} context={context} />
    </>
  );

const BuildNumbers = ({ builds }: Stats) => (
  <section class="stats" aria-labelledby="stats-builds">
    <h2 id="stats-builds">Builds</h2>
    <dl class="numbers">
      <Number name="passed">
        {percent(builds.pass_rate) ?? 'none'} <small>of {builds.runs}</small>
      </Number>
      <Number name="failed">{builds.failed}</Number>
      <Number name="median">{took(builds.duration.median)}</Number>
      <Number name="90th percentile">{took(builds.duration.p90)}</Number>
      <Number name="waited, median">{took(builds.waited.median)}</Number>
      <Number name="waited, 90th percentile">{took(builds.waited.p90)}</Number>
    </dl>
    <Trend values={builds.trend} rates={builds.pass_trend} of="all builds" />
    <p class="quiet">
      {counted(builds.runs + builds.others)}, {days(builds)}
      {builds.others > 0 &&
        `; ${builds.others} neither passed nor failed, which counts for nothing else`}
      .{builds.trend.length > 1 && ` ${barWords(builds)}`}
    </p>
  </section>
);

const Number = ({ name, children }: { readonly name: string; readonly children?: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function barWords({ trend, runs }: Stats['builds']): string {
  const bar = trend.length === runs ? 'A bar is one of them' : 'A bar is the median of some';
  const highest = took(Math.max(...trend));
  return `${bar}, the oldest first; red is what failed. The highest is ${highest}.`;
}

const counted = (count: number): string => `${count} ${count === 1 ? 'build' : 'builds'}`;

function days({ from, to }: Stats['builds']): string {
  const [first, last] = [day(from), day(to)];
  return first === last ? first : `${first} to ${last}`;
}

const day = (time: string | null): string => (time ?? '').slice(0, 10);
