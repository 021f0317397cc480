/** The numbers over many builds: what `builds stats` shows as a table. */
import { type Stats, percent, type Example, type FlakyStep } from '../../stats/stats-resource.ts';
import type { PageContext } from '../page-document.tsx';
import { StepTable, took, Trend } from './step-table.tsx';
import { Plain, Prose } from '../elements.tsx';

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

/** Steps that failed and then passed with nothing changed, with examples to look at. */
const FlakySteps = ({ flaky, context }: Stats & { readonly context: PageContext }) =>
  flaky.length === 0 ? (
    <></>
  ) : (
    <section class="stats" aria-labelledby="stats-flaky">
      <h2 id="stats-flaky">Flaky</h2>
      <p class="quiet">Failed, then passed by a retry or at the same commit.</p>
      <ul class="flaky">
        {flaky.map((step) => (
          <FlakyItem step={step} context={context} />
        ))}
      </ul>
    </section>
  );

const FlakyItem = ({
  step,
  context,
}: {
  readonly step: FlakyStep;
  readonly context: PageContext;
}) => (
  <li>
    <strong>
      <Prose text={step.name} />
    </strong>{' '}
    {step.count === 1 ? 'once' : `${step.count} times`}
    <ul>
      {step.examples.map((example) => (
        <li>
          <Words example={example} context={context} />
        </li>
      ))}
    </ul>
  </li>
);

const Words = ({
  example,
  context,
}: {
  readonly example: Example;
  readonly context: PageContext;
}) => {
  const { by, commit, failed, passed } = example;
  return (
    <>
      failed in <Attempt {...failed} context={context} />, passed{' '}
      {by === 'retry' ? 'by a retry in ' : 'in '}
      <Attempt {...passed} context={context} />
      {commit !== null && (
        <>
          {' '}
          at{' '}
          <code>
            <Plain text={commit.slice(0, 7)} />
          </code>
        </>
      )}
    </>
  );
};

const Attempt = ({
  number,
  web_url,
  context,
}: Example['failed'] & { readonly context: PageContext }) => {
  const href = context.link(web_url);
  return href === undefined ? <>#{number}</> : <a href={href}>#{number}</a>;
};

/** Of which builds the numbers are. */
export interface StatsChoice {
  /** Empty for all. */
  readonly branch: string;
  readonly limit: number;
}

const sizes = [100, 300, 1000];

/** Asks for other builds, by GET: its address can be sent to somebody. */
export const StatsForm = ({
  path,
  choice,
}: {
  readonly path: string;
  readonly choice: StatsChoice;
}) => (
  <form class="filters" method="get" action={path}>
    <label>
      Branch <input name="branch" value={choice.branch} placeholder="all branches" />
    </label>
    <label>
      Newest{' '}
      <select name="builds">
        {[...new Set([...sizes, choice.limit])].map((size) => (
          <option value={String(size)} selected={size === choice.limit}>
            {size} builds
          </option>
        ))}
      </select>
    </label>
    <button>Show</button>
  </form>
);
