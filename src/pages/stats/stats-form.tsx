/** Of which builds the numbers are. */
export interface StatsChoice {
  /** Empty for all. */
  readonly branch: string;
  readonly limit: number;
}

const sizes = [100, 300, 1000];

/** Asks for other builds, by GET: its address can be sent to somebody. */
export const StatsForm = ({
  path,
  choice,
}: {
  readonly path: string;
  readonly choice: StatsChoice;
}) => (
  <form class="filters" method="get" action={path}>
    <label>
      Branch <input name="branch" value={choice.branch} placeholder="all branches" />
    </label>
    <label>
      Newest{' '}
      <select name="builds">
        {[...new Set([...sizes, choice.limit])].map((size) => (
          <option value={String(size)} selected={size === choice.limit}>
            {size} builds
          </option>
        ))}
      </select>
    </label>
    <button>Show</button>
  </form>
);
