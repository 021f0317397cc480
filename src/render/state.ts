import { cleanLine } from '../common/untrusted-text.ts';
import type { Colors } from './colors.ts';

export interface StateMarks {
  /** Whether the build waits for manual approval. If so, `state` keeps its last value */
  readonly blocked?: boolean | null | undefined;
  readonly soft_failed?: boolean | null | undefined;
}

type StateStyle = readonly [glyph: string, color: keyof Colors];

const soft: StateStyle = ['!', 'bold'];
const unknown: StateStyle = ['?', 'bold'];

/** Symbol, color and states of builds, jobs and agents. */
const rows: readonly (readonly [...StateStyle, states: string])[] = [
  ['✓', 'green', 'passed unblocked finished'],
  ['✗', 'red', 'failed failing timed_out timing_out expired error lost'],
  ['●', 'cyan', 'running canceling busy'],
  ['○', 'normal', 'creating new scheduled assigned accepted reserved idle'],
  ['○', 'dim', 'pending waiting limiting limited'],
  ['■', 'magenta', 'blocked paused'],
  ['⊘', 'dim', 'canceled stopping'],
  ['–', 'dim', 'skipped not_run broken waiting_failed blocked_failed unblocked_failed'],
  ['–', 'dim', 'deleted disconnected'],
];

const styles = new Map(
  rows.flatMap(([glyph, color, states]) =>
    states.split(' ').map((state): [string, StateStyle] => [state, [glyph, color]]),
  ),
);

/** A blocked build keeps its last state, so `blocked` is shown instead. */
export const stateWord = (state: string, marks: StateMarks = {}): string =>
  marks.blocked === true ? 'blocked' : state;

/** For example, `✗ timed out`. Unknown states are shown unchanged. */
export const stateLabel = (state: string, marks: StateMarks = {}): string =>
  `${stateGlyph(state, marks)} ${stateText(state, marks)}`;

export const stateGlyph = (state: string, marks: StateMarks = {}): string =>
  styleOf(stateWord(state, marks), marks)[0];

/** For example, `failed (soft)` or `waiting failed`. */
export function stateText(state: string, marks: StateMarks = {}): string {
  const word = stateWord(state, marks);
  return `${cleanLine(word).replaceAll('_', ' ')}${isSoft(word, marks) ? ' (soft)' : ''}`;
}

export const stateColor = (state: string, marks: StateMarks = {}): keyof Colors =>
  styleOf(stateWord(state, marks), marks)[1];

const styleOf = (word: string, marks: StateMarks): StateStyle =>
  isSoft(word, marks) ? soft : (styles.get(word) ?? unknown);

const isSoft = (word: string, marks: StateMarks): boolean =>
  word === 'failed' && marks.soft_failed === true;
