import type { Build } from '../../api/resources/build.ts';
import type { PageContext } from '../page-document.tsx';
import { toneOf } from '../elements.tsx';
import { barText, outcomesText } from './build-words.ts';
import { durationOf } from '../../api/resources/duration.ts';

export const lastBuildsId = 'last-builds';

/** How the last builds of a pipeline went. */
export const LastBuilds = (props: BuildBarsProps) => (
  <section id={lastBuildsId} data-part aria-label="Last builds">
    <BuildBars {...props} />
  </section>
);

interface BuildBarsProps {
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

// The bars that show how the last builds went: how long each took, beside what became of it.

interface Bar {
  readonly build: Build;
  /** Seconds; null before the start. */
  readonly seconds: number | null;
  /** From the left, and from the bottom up. */
  readonly x: number;
  readonly height: number;
}

/** As many as there is room for. */
export const barCount = 20;
/** Of one bar with its gap, and of the tallest; the picture is as tall. */
export const barStep = 9;
const barWidth = 7;
export const tallest = 32;
const lowest = 3;

/** The oldest at the left, the newest at the right edge. `builds`: the newest first. */
export function barsOf(builds: readonly Build[], now: number): Bar[] {
  const shown = builds
    .slice(0, barCount)
    .map((build) => ({ build, seconds: durationOf(build, now) }))
    .reverse();
  const height = heightsOf(shown);
  const first = barCount - shown.length;
  return shown.map(({ build, seconds }, index) => ({
    ...{ build, seconds },
    x: (first + index) * barStep,
    height: height(seconds ?? 0),
  }));
}

/**
 * Heights are in proportion to durations, the longest build that is over being the tallest. What hung once, or
 * runs on and on, leaves the others their height: above four times what is usual the longer is still the
 * taller, in a fourth of the room.
 */
function heightsOf(shown: readonly Pick<Bar, 'build' | 'seconds'>[]): (seconds: number) => number {
  const over = shown.filter(({ build }) => typeof build.finished_at === 'string');
  const known = (over.length > 0 ? over : shown)
    .flatMap(({ seconds }) => seconds ?? [])
    .sort((one, other) => one - other);
  const longest = known.at(-1) || 1;
  const usual = 4 * (known[Math.floor(known.length / 2)] ?? 0);
  if (usual === 0 || longest <= usual)
    return (seconds) => wholePixels((seconds / longest) * tallest);
  const room = tallest * 0.75;
  const steps = Math.log(longest / usual);
  return (seconds) =>
    wholePixels(
      seconds <= usual
        ? (seconds / usual) * room
        : room + (Math.log(seconds / usual) / steps) * (tallest - room),
    );
}

/** A short one can still be seen and met with the pointer. */
const wholePixels = (height: number): number =>
  Math.min(tallest, Math.max(lowest, Math.round(height)));
