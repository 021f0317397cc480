import { type Stats, type Step, percent } from '../../stats/stats-resource.ts';
import { Plain, Prose } from '../text.tsx';
import { took } from './took.ts';
import { Trend } from './trend.tsx';

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

/** Rows of a table that a browser draws at once. */
const mostShown = 100;

/** A row a step; those first that keep a build longest from being over. */
export const StepTable = ({ steps }: Stats) => {
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

const StepRow = ({
  step,
  hasPipelines,
}: {
  readonly step: Step;
  readonly hasPipelines: boolean;
}) => (
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

/** A part of a bar, and the same in words. */
const Share = ({ share }: { readonly share: number | null }) => (
  <>
    {percent(share) ?? '–'}{' '}
    <svg class="share" viewBox="0 0 50 8" width="50" height="8" aria-hidden="true">
      <rect class="all" width="50" height="8" />
      <rect class="part" width={Math.round((share ?? 0) * 50)} height="8" />
    </svg>
  </>
);
