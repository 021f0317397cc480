/** Which builds of a pipeline are listed. */
import { buildStates } from '../../api/resources/states.ts';
import { StateSelect } from './state-select.tsx';

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
