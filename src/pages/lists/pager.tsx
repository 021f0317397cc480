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
