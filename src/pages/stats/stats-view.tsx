import {
  type Stats,
  percent,
  type Example,
  type FlakyStep,
  type Step,
} from '../../stats/stats-resource.ts';
import type { PageContext } from '../page-document.tsx';
import { Plain, Prose } from '../elements.tsx';
import { duration } from '../../render/time.ts';

export const StatsView = ({ stats, context }: { stats: Stats; context: PageContext }) =>
  stats.builds.runs + stats.builds.others === 0 ? (
    <p>No finished builds found.</p>
  ) : (
    <>
      <BuildNumbers {...stats} />
      <StepTable {...stats} />
      <FlakySteps {...stats} context={context} />
    </>
  );

const BuildNumbers = ({ builds }: Stats) => {
  const count = builds.runs + builds.others;
  return (
    <section class="stats" aria-labelledby="stats-builds">
      <h2 id="stats-builds">Builds</h2>
      <dl class="numbers">
        <Number name="passed">
          {percent(builds.pass_rate) ?? 'none'} <small>of {builds.runs}</small>
        </Number>
        <Number name="failed">{builds.failed}</Number>
        <Number name="median">{took(builds.duration.median)}</Number>
        <Number name="90th percentile">{took(builds.duration.p90)}</Number>
        <Number name="waiting time, median">{took(builds.waited.median)}</Number>
        <Number name="waiting time, 90th percentile">{took(builds.waited.p90)}</Number>
      </dl>
      <Trend values={builds.trend} rates={builds.pass_trend} of="all builds" />
      <p class="quiet">
        {count} {count === 1 ? 'build' : 'builds'}, {days(builds)}
        {builds.others > 0 &&
          `; ${builds.others} neither passed nor failed and are excluded from the other figures`}
        .{builds.trend.length > 1 && ` ${barWords(builds)}`}
      </p>
    </section>
  );
};

const Number = ({ name, children }: { readonly name: string; readonly children?: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function barWords({ trend, runs }: Stats['builds']): string {
  const bar =
    trend.length === runs ? 'Each bar is one build' : 'Each bar is the median of several builds';
  const highest = took(Math.max(...trend));
  return `${bar}, oldest first; failures are red. The highest is ${highest}.`;
}

function days({ from, to }: Stats['builds']): string {
  const [first = '', last = ''] = [from?.slice(0, 10), to?.slice(0, 10)];
  return first === last ? first : `${first} to ${last}`;
}

const FlakySteps = ({ flaky, context }: Stats & { readonly context: PageContext }) =>
  flaky.length === 0 ? (
    <></>
  ) : (
    <section class="stats" aria-labelledby="stats-flaky">
      <h2 id="stats-flaky">Flaky</h2>
      <p class="quiet">Failed, then passed on a retry or in a later build of the same commit.</p>
      <ul class="flaky">
        {flaky.map((step) => (
          <FlakyItem step={step} context={context} />
        ))}
      </ul>
    </section>
  );

const FlakyItem = ({ step, context }: { step: FlakyStep; context: PageContext }) => (
  <li>
    <strong>
      <Prose text={step.name} />
    </strong>{' '}
    {step.count === 1 ? 'once' : `${step.count} times`}
    <ul>
      {step.examples.map(({ by, commit, failed, passed }) => (
        <li>
          failed in <Attempt {...failed} context={context} />, passed{' '}
          {by === 'retry' ? 'on a retry in ' : 'in '}
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
        </li>
      ))}
    </ul>
  </li>
);

const Attempt = ({
  number,
  web_url,
  context,
}: Example['failed'] & { readonly context: PageContext }) => {
  const href = context.link(web_url);
  return href === undefined ? <>#{number}</> : <a href={href}>#{number}</a>;
};

export interface StatsChoice {
  readonly branch: string;
  readonly limit: number;
}

const sizes = [100, 300, 1000];

export const StatsForm = ({ path, choice }: { path: string; choice: StatsChoice }) => (
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

/** Maximum number of rows that a browser draws without a delay. */
const mostShown = 100;

const headings = [
  'Runs',
  'Passed',
  'Median',
  'P90',
  'Waited',
  'Waited P90',
  'Critical path',
  'Flaky',
];

const StepTable = ({ steps }: Stats) => {
  if (steps.length === 0) return <></>;
  const hasPipelines = new Set(steps.map(({ pipeline }) => pipeline)).size > 1;
  return (
    <section class="stats">
      <h2 id="stats-steps">Steps</h2>
      <div class="wide" role="region" aria-labelledby="stats-steps" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              {headings.map((heading) => (
                <th scope="col" class="number">
                  {heading}
                </th>
              ))}
              <th scope="col">Trend</th>
            </tr>
          </thead>
          <tbody>
            {steps.slice(0, mostShown).map((step) => (
              <StepRow step={step} hasPipelines={hasPipelines} />
            ))}
          </tbody>
        </table>
      </div>
      {steps.length > mostShown && (
        <p class="quiet">
          And {steps.length - mostShown} more steps with smaller shares of the critical path:{' '}
          <code>cictl builds stats</code> shows all.
        </p>
      )}
    </section>
  );
};

const StepRow = ({ step, hasPipelines }: { step: Step; hasPipelines: boolean }) => (
  <tr>
    <th scope="row">
      {hasPipelines && (
        <>
          <Plain text={step.pipeline ?? ''} />{' '}
        </>
      )}
      <Prose text={step.name ?? ''} />
    </th>
    <Cell>{step.runs}</Cell>
    <Cell>{percent(step.pass_rate) ?? '–'}</Cell>
    <Cell>{took(step.duration.median)}</Cell>
    <Cell>{took(step.duration.p90)}</Cell>
    <Cell>{took(step.waited.median)}</Cell>
    <Cell>{took(step.waited.p90)}</Cell>
    <Cell>
      <Share share={step.critical_share} />
    </Cell>
    <Cell>{step.flaky > 0 ? step.flaky : ''}</Cell>
    <td>
      <Trend values={step.trend} rates={step.pass_trend} of={step.name ?? ''} isSmall />
    </td>
  </tr>
);

const Cell = ({ children }: { readonly children?: unknown }) => <td class="number">{children}</td>;

const Share = ({ share }: { readonly share: number | null }) => (
  <>
    {percent(share) ?? '–'}{' '}
    <svg class="share" viewBox="0 0 50 8" width="50" height="8" aria-hidden="true">
      <rect class="all" width="50" height="8" />
      <rect class="part" width={Math.round((share ?? 0) * 50)} height="8" />
    </svg>
  </>
);

interface TrendProps {
  readonly values: readonly number[];
  readonly rates: readonly number[];
  readonly of: string;
  readonly isSmall?: boolean;
}

/** One bar per value, with failures in red at the bottom. Empty for fewer than two values. */
const Trend = ({ values, rates, of, isSmall = false }: TrendProps) => {
  if (values.length < 2) return <></>;
  const most = Math.max(...values, 0.001);
  const size = isSmall ? { step: 4, height: 16 } : { step: 24, height: 96 };
  const width = values.length * size.step;
  // If values without a time were dropped, the rates do not match the values and are ignored.
  const rateOf = (index: number): number =>
    rates.length === values.length ? (rates[index] ?? 1) : 1;
  const words = values.map((value, index) => wordsOf(value, rateOf(index)));
  return (
    <svg
      class={isSmall ? 'trend small' : 'trend'}
      viewBox={`0 0 ${width} ${size.height}`}
      width={width}
      height={size.height}
      role="img"
      aria-label={`Duration of ${of}, oldest to newest: ${words.join(', ')}`}
    >
      {values.map((value, index) => (
        <Bar
          {...size}
          at={index * size.step}
          share={value / most}
          rate={rateOf(index)}
          title={isSmall ? undefined : words[index]}
        />
      ))}
    </svg>
  );
};

const wordsOf = (value: number, rate: number): string =>
  rate === 1 ? took(value) : `${took(value)} (${percent(rate) ?? ''} passed)`;

const Bar = ({
  at,
  step,
  height,
  share,
  rate,
  title,
}: Readonly<Record<'at' | 'step' | 'height' | 'share' | 'rate', number>> & {
  readonly title: string | undefined;
}) => {
  const tall = Math.max(1, Math.round(share * height));
  const failed = rate === 1 ? 0 : Math.max(1, Math.round((1 - rate) * tall));
  const width = step * 0.75;
  return (
    <g>
      {title !== undefined && <title>{title}</title>}
      <rect x={at} y={height - tall} width={width} height={tall - failed} />
      {failed > 0 && (
        <rect class="failed" x={at} y={height - failed} width={width} height={failed} />
      )}
    </g>
  );
};

const took = (seconds: number | null): string =>
  seconds === null ? '–' : duration(seconds * 1000);
