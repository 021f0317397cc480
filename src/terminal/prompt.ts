/** Questions to the user; only where standard input and output are terminals. */
export interface Prompts {
  /** Whether the user can be asked at all. */
  readonly available: boolean;
  /**
   * Resolves to true when the user agrees, at once under `--yes`. Throws `CictlError` of kind
   * `usage` when they decline, or when they cannot be asked: then it names `flag`.
   */
  confirm(question: string, flag: string): Promise<true>;
  /** One line that is not echoed: a token. */
  hidden(question: string): Promise<string>;
  /** One line. */
  text(question: string): Promise<string>;
  /** One of several, by its number. */
  choose<T>(question: string, choices: readonly Choice<T>[]): Promise<T>;
}

export interface Choice<T> {
  readonly label: string;
  readonly value: T;
}
