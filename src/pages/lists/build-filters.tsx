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
    <label>
      State{' '}
      <select name="state">
        <option value="">any</option>
        {[...new Set([...states, state])].filter(Boolean).map((one) => (
          <option value={one} selected={one === state}>
            {stateText(one)}
          </option>
        ))}
      </select>
    </label>
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
