/** JSON texts that are collected until they are worth a start of jq. */
export interface JqBatch {
  add(json: string): Promise<void>;
  /** Uses what is left. */
  flush(): Promise<void>;
}

/** As many as a page of a list has, and no more than jq reads in a moment. */
const most = { elements: 100, characters: 400_000 };

/** `use` gets the elements of a batch. */
export function createJqBatch(use: (texts: readonly string[]) => Promise<void>): JqBatch {
  let [texts, length]: [string[], number] = [[], 0];
  async function flush(): Promise<void> {
    const ready = texts;
    [texts, length] = [[], 0];
    if (ready.length > 0) await use(ready);
  }
  return {
    async add(json) {
      texts.push(json);
      length += json.length;
      if (texts.length >= most.elements || length >= most.characters) await flush();
    },
    flush,
  };
}
