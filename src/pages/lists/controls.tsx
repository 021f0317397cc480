/** Which builds of a pipeline are listed. */
import { buildStates } from '../../api/resources/states.ts';
import { stateText } from '../../render/state.ts';

export interface BuildFilterTexts {
  readonly state: string;
  readonly branch: string;
  /** Anywhere in the message, the branch, the commit, the number, or the creator's name. */
  readonly text: string;
}

/** The filters as a form that asks for the same page. */
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

/** Those of builds, with the filter for all that are over. */
const states: readonly string[] = [...buildStates, 'finished'];

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

/** The way to the other pages of a list. */
export interface Pages {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** What stands between them: `Page 2`. */
  readonly text: string;
}

/** Nothing where there is one page alone. */
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
