import type { Build } from '../../api/resources/build.ts';
import type { PageContext } from '../page-context.ts';
import { toneOf } from '../state.tsx';
import { barsOf, barCount, barStep, barWidth, tallest, type Bar } from './bars.ts';
import { barText, outcomesText } from './build-words.ts';

export interface BuildBarsProps {
  /** The newest first. */
  readonly builds: readonly Build[];
  readonly context: PageContext;
}

/**
 * The last builds as bars, each a link for the pointer; who reads has the counts below, and the builds
 * themselves in the pipeline's list.
 */
export const BuildBars = ({ builds, context }: BuildBarsProps) => (
  <div class="outcomes">
    {builds.length > 0 && <Picture {...{ builds, context }} />}
    <p class="quiet small">{builds.length === 0 ? 'No builds yet' : outcomesText(builds)}</p>
  </div>
);

const Picture = ({ builds, context }: BuildBarsProps) => (
  <svg
    class="bars"
    viewBox={`0 0 ${barCount * barStep} ${tallest + 4}`}
    width={barCount * barStep}
    height={tallest + 4}
    aria-hidden="true"
  >
    <rect class="base" x={0} y={tallest} width={barCount * barStep - 2} height={1} />
    {barsOf(builds, context.now).map((bar) => (
      <OneBar {...bar} context={context} />
    ))}
  </svg>
);

const OneBar = ({ build, x, height, context }: Bar & { readonly context: PageContext }) => {
  const tone = toneOf(build.state ?? '', build);
  return (
    <a href={context.link(build.web_url)} tabindex={-1}>
      <title>{barText(build, context.now)}</title>
      <rect class="hit" x={x} y={0} width={barStep} height={tallest + 4} />
      <rect class={tone} x={x} y={tallest - height} width={barWidth} height={height} rx={1} />
      {/* What is red has a mark besides, for whom red is no colour. */}
      {tone === 'bad' && <rect class={tone} x={x} y={tallest + 2} width={barWidth} height={2} />}
    </a>
  );
};
