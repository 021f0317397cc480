import { stateText } from '../../render/state.ts';

/** Chooses one of the states of a filter, or any; `chosen` is among them whatever an address says. */
export const StateSelect = ({
  states,
  chosen,
}: {
  readonly states: readonly string[];
  /** Empty for any. */
  readonly chosen: string;
}) => (
  <label>
    State{' '}
    <select name="state">
      <option value="">any</option>
      {[...new Set([...states, chosen])].filter(Boolean).map((state) => (
        <option value={state} selected={state === chosen}>
          {stateText(state)}
        </option>
      ))}
    </select>
  </label>
);
