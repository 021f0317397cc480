/** JSON texts that are collected until they are worth a start of jq. */
export interface JqBatch {
  add(json: string): Promise<void>;
  /** Uses what is left. */
  flush(): Promise<void>;
}

/** As many as a page of a list has, and no more than jq reads in a moment. */
const most = { elements: 100, characters: 400_000 };

/**
 * `use` gets the elements of a batch. `first` is the size of the first one, and each may be twice as
 * large as the one before: what is printed at once begins with a small one.
 */
export function createJqBatch(
  use: (texts: readonly string[]) => Promise<void>,
  first = most.elements,
): JqBatch {
  let [texts, length, enough]: [string[], number, number] = [[], 0, first];
  async function flush(): Promise<void> {
    const ready = texts;
    [texts, length, enough] = [[], 0, Math.min(2 * enough, most.elements)];
    if (ready.length > 0) await use(ready);
  }
  return {
    async add(json) {
      texts.push(json);
      length += json.length;
      if (texts.length >= enough || length >= most.characters) await flush();
    },
    flush,
  };
}
