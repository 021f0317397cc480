import { cleanLine } from '../common/untrusted-text.ts';
import type { Colors } from './colors.ts';

export interface StateMarks {
  /** Waits for manual approval; the state keeps its last value (specification, "Build"). */
  readonly blocked?: boolean | null | undefined;
  readonly soft_failed?: boolean | null | undefined;
}

type StateStyle = readonly [glyph: string, color: keyof Colors];

const good: StateStyle = ['✓', 'green'];
const bad: StateStyle = ['✗', 'red'];
const soft: StateStyle = ['!', 'bold'];
const active: StateStyle = ['●', 'cyan'];
const queued: StateStyle = ['○', 'normal'];
const waiting: StateStyle = ['○', 'dim'];
const person: StateStyle = ['■', 'magenta'];
const stopped: StateStyle = ['⊘', 'dim'];
const unrun: StateStyle = ['–', 'dim'];
const unknown: StateStyle = ['?', 'bold'];

const styles = new Map<string, StateStyle>([
  ['passed', good],
  ['unblocked', good],
  ['finished', good],
  ['failed', bad],
  ['failing', bad],
  ['timed_out', bad],
  ['timing_out', bad],
  ['expired', bad],
  ['error', bad],
  ['running', active],
  ['canceling', active],
  ['creating', queued],
  ['new', queued],
  ['scheduled', queued],
  ['assigned', queued],
  ['accepted', queued],
  ['reserved', queued],
  ['pending', waiting],
  ['waiting', waiting],
  ['limiting', waiting],
  ['limited', waiting],
  ['blocked', person],
  ['canceled', stopped],
  ['skipped', unrun],
  ['not_run', unrun],
  ['broken', unrun],
  ['waiting_failed', unrun],
  ['blocked_failed', unrun],
  ['unblocked_failed', unrun],
  ['deleted', unrun],
  // Agents.
  ['busy', active],
  ['idle', queued],
  ['paused', person],
  ['stopping', stopped],
  ['disconnected', unrun],
  ['lost', bad],
]);

/** `blocked` replaces the state that a blocked build keeps. */
export const stateWord = (state: string, marks: StateMarks = {}): string =>
  marks.blocked === true ? 'blocked' : state;

/** `✗ timed out`. Unknown states are shown as they are. */
export const stateLabel = (state: string, marks: StateMarks = {}): string =>
  `${stateGlyph(state, marks)} ${stateText(state, marks)}`;

export const stateGlyph = (state: string, marks: StateMarks = {}): string =>
  styleOf(stateWord(state, marks), marks)[0];

/** `failed (soft)`, `waiting failed`. */
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
