/** Lines `from` to before `to`. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** Which lines of a range are shown where not all can be: those `from` a line on, `before` or around one. */
export interface Anchor {
  readonly side: 'from' | 'before' | 'at';
  readonly line: number;
}

/** What is to be shown of a log. */
export interface WindowOptions {
  readonly range: Lines;
  readonly anchor: Anchor;
  /** Whether the last section is open whatever its marker is. */
  readonly opensLast: boolean;
  /** The section, by its header, in which all of the range stands: it is open already. */
  readonly within?: number | undefined;
  /** Lines to show, about. */
  readonly most: number;
}
