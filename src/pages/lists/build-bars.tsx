import type { Build } from '../../api/resources/build.ts';
import type { PageContext } from '../page-document.tsx';
import { toneOf } from '../elements.tsx';
import { barText, outcomesText } from './build-words.ts';
import { durationOf } from '../../api/resources/duration.ts';

export const lastBuildsId = 'last-builds';

export const LastBuilds = (props: BuildBarsProps) => (
  <section id={lastBuildsId} data-part aria-label="Last builds">
    <BuildBars {...props} />
  </section>
);

interface BuildBarsProps {
  readonly builds: readonly Build[];
  readonly context: PageContext;
}

/** The bars are links only for the mouse. Screen readers use the counts and the list of builds. */
export const BuildBars = ({ builds, context }: BuildBarsProps) => (
  <div class="outcomes">
    {builds.length > 0 && (
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
    )}
    <p class="quiet small">{builds.length === 0 ? 'No builds yet' : outcomesText(builds)}</p>
  </div>
);

const OneBar = ({ build, x, height, context }: Bar & { readonly context: PageContext }) => {
  const tone = toneOf(build.state ?? '', build);
  return (
    <a href={context.link(build.web_url)} tabindex={-1}>
      <title>{barText(build, context.now)}</title>
      <rect class="hit" x={x} y={0} width={barStep} height={tallest + 4} />
      <rect class={tone} x={x} y={tallest - height} width={barWidth} height={height} rx={1} />
      {/* Red bars are also underlined, because color must not be the only indicator. */}
      {tone === 'bad' && <rect class={tone} x={x} y={tallest + 2} width={barWidth} height={2} />}
    </a>
  );
};

interface Bar {
  readonly build: Build;
  /** Null before the build starts. */
  readonly seconds: number | null;
  /** Positions from the left and from the bottom */
  readonly x: number;
  readonly height: number;
}

export const barCount = 20;
export const barStep = 9;
const barWidth = 7;
export const tallest = 32;
const lowest = 3;

/** The oldest build is on the left. `builds` is sorted newest first. */
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
 * Heights are proportional to durations, but logarithmic above four times the median, because a
 * build that hung would otherwise dwarf the others.
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

/** Keeps even the shortest bars visible and clickable. */
const wholePixels = (height: number): number =>
  Math.min(tallest, Math.max(lowest, Math.round(height)));
