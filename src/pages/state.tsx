import { stateColor, stateGlyph, stateText, type StateMarks } from '../render/state.ts';

/** A state with its sign and its words, as the terminal has them: `✗ timed out`. */
export const State = ({
  state,
  marks = {},
}: {
  readonly state: string;
  readonly marks?: StateMarks;
}) => (
  <span class={`state ${toneOf(state, marks)}`}>
    <span aria-hidden="true">{stateGlyph(state, marks)}</span> {stateText(state, marks)}
  </span>
);

/** The class of the colour that goes with a state, for text and for bars: `good`, `bad`, `busy` and so on. */
export const toneOf = (state: string, marks: StateMarks = {}): string =>
  tones[stateColor(state, marks)] ?? 'quiet';

const tones: Readonly<Record<string, string>> = {
  green: 'good',
  red: 'bad',
  bold: 'soft',
  cyan: 'active',
  magenta: 'busy',
  normal: 'queued',
  dim: 'quiet',
};
