import { buildStates } from '../../api/resources/states.ts';
import { stateText } from '../../render/state.ts';

export interface BuildFilterTexts {
  readonly state: string;
  readonly branch: string;
  /** Text to search for in the message, branch, commit, number and creator */
  readonly text: string;
}

export const BuildFilters = ({
  action,
  filters: { state, branch, text },
}: {
  readonly action: string;
  readonly filters: BuildFilterTexts;
}) => (
  <form class="filters" method="get" action={action} role="search">
    <StateSelect states={states} chosen={state} />
    <label>
      Branch <input name="branch" value={branch} size={16} />
    </label>
    <label>
      Text <input type="search" name="q" value={text} />
    </label>
    <button>Filter</button>
    {(state !== '' || branch !== '' || text !== '') && <a href={action}>All builds</a>}
  </form>
);

const states: readonly string[] = [...buildStates, 'finished'];

/** Includes `chosen` even if it is not a known state. */
export const StateSelect = ({ states, chosen }: { states: readonly string[]; chosen: string }) => (
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

export interface Pages {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** For example, `Page 2` */
  readonly text: string;
}

export const Pager = ({ previous, next, text }: Pages) =>
  previous === undefined && next === undefined ? null : (
    <nav class="pager" aria-label="Pages">
      {previous !== undefined && (
        <a href={previous} rel="prev">
          ← Previous
        </a>
      )}
      <span class="quiet">{text}</span>
      {next !== undefined && (
        <a href={next} rel="next">
          Next →
        </a>
      )}
    </nav>
  );
