/**
 * Values as the documents of one stream of YAML: from the second on `---` parts them. Between two
 * pieces signals are heard; the signal's reason is then thrown.
 */
export function yamlStream(
  write: (text: string) => Promise<void>,
  signal?: AbortSignal,
): YamlStream {
  let isFirst = true;
  const startYaml = (): string => {
    const start = isFirst ? '' : '---\n';
    isFirst = false;
    return start;
  };
  const writeYaml = async (value: unknown): Promise<void> => {
    const { yamlPieces } = await import('./yaml-pieces.ts');
    let text = startYaml();
    for (const piece of yamlPieces(value)) {
      text += piece;
      if (text.length < enough) continue;
      await write(text);
      text = '';
      await nextTurn();
      signal?.throwIfAborted();
    }
    await write(text);
  };
  return { startYaml, writeYaml };
}

export interface YamlStream {
  /** What stands before one more document. */
  startYaml(): string;
  /** One more document. */
  writeYaml(value: unknown): Promise<void>;
}

const enough = 64 * 1024;

/** A write to a file is done at once, and would let nothing else come in between. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
