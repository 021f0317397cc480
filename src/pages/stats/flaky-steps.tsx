import type { Example, FlakyStep, Stats } from '../../stats/stats-resource.ts';
import type { PageContext } from '../page-context.ts';
import { Plain, Prose } from '../text.tsx';

/** Steps that failed and then passed with nothing changed, with examples to look at. */
export const FlakySteps = ({ flaky, context }: Stats & { readonly context: PageContext }) =>
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
