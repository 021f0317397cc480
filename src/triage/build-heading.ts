/** The first line of every screen about one build. */
import { isMissing } from '../render/cell.ts';
import type { Colors } from '../render/colors.ts';
import { stateColor, stateGlyph, stateText, type StateMarks } from '../render/state.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import { instant, relativeTime } from '../render/time.ts';
import { took } from './took.ts';

export interface HeadedBuild extends Timed {
  readonly pipeline: string;
  readonly number: number;
  /** With `blocked` where it waits for a person. */
  readonly state: string;
}

interface Timed {
  readonly created_at?: string | null | undefined;
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}

/** `✗ web #141 failed in 6m56s, 56m ago`, in the colour of the state. */
export const buildHeading = (build: HeadedBuild, options: HeadingOptions): string =>
  stateHeading(`${build.pipeline} #${build.number}`, build, options);

interface HeadingOptions {
  readonly colors: Colors;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The same of anything that has a state and times. */
export function stateHeading(
  title: string,
  { state, soft_failed: soft, ...times }: Timed & StateMarks & { readonly state: string },
  { colors, now }: HeadingOptions,
): string {
  const marks = { soft_failed: soft };
  const paint = colors[stateColor(state, marks)];
  const word = stateText(state, marks);
  const name = colors.bold(cleanLine(title));
  return `${paint(stateGlyph(state, marks))} ${name} ${paint(word)}${when(times, word, now)}`;
}

/** How long it took and since when that is over; of what goes on, for how long by now. */
function when(build: Timed, word: string, now: number): string {
  const { started_at: started, finished_at: finished, created_at: created } = build;
  const from = instant(started ?? '');
  const to = instant(finished ?? '');
  if (from !== undefined && to !== undefined) {
    return `${word === 'blocked' ? ' after' : ' in'} ${took(to - from)}, ${ago(finished, now)}`;
  }
  if (to !== undefined) return `, ${ago(finished, now)}`;
  if (from === undefined) return isMissing(created) ? '' : `, created ${ago(created, now)}`;
  return /ing$/.test(word) ? ` for ${took(now - from)}` : `, started ${ago(started, now)}`;
}

const ago = (text: string | null | undefined, now: number): string =>
  relativeTime(cleanLine(text ?? ''), now);
