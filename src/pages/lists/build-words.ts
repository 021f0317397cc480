import type { Build } from '../../api/resources/build.ts';
import { durationOf } from '../../api/resources/duration.ts';
import { stateText } from '../../render/state.ts';
import { duration } from '../../render/time.ts';

/** The first line of the message, truncated to a length that a list can show. */
export function titleOf({ message, number }: Build): string {
  const [line = ''] = (message ?? '').trimStart().split('\n', 1);
  if (line === '') return `Build ${number ?? ''}`;
  return line.length <= longest ? line : `${line.slice(0, longest).replace(halfCharacter, '')}…`;
}

/** In characters. Wider than any window. */
const longest = 500;
const halfCharacter = /[\ud800-\udbff]$/;

/** For example, `#12 passed in 3m 5s`. */
export function barText(build: Build, now: number): string {
  const seconds = durationOf(build, now);
  const between = typeof build.finished_at === 'string' ? 'in' : 'for';
  const took = seconds === null ? '' : ` ${between} ${duration(seconds * 1000)}`;
  return `#${build.number ?? '?'} ${stateText(build.state ?? '', build)}${took}`;
}

/** For example, `Last 20 builds: 17 passed, 2 failed, 1 running`. */
export function outcomesText(builds: readonly Build[]): string {
  const [first] = builds;
  if (first !== undefined && builds.length === 1)
    return `One build: ${stateText(first.state ?? '', first)}`;
  const counts = new Map<string, number>();
  for (const build of builds) {
    const word = stateText(build.state ?? '', build);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([word, n]) => `${n} ${word}`);
  return `Last ${builds.length} builds: ${parts.join(', ')}`;
}

export const isUnderWay = ({ started_at: start, finished_at: end }: Build): boolean =>
  typeof start === 'string' && typeof end !== 'string';
