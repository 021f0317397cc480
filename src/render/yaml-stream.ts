/**
 * Values as the documents of one stream of YAML: from the second on `---` parts them. Between two
 * pieces signals are heard; the signal's reason is then thrown.
 */
export function yamlStream(
  write: (text: string) => Promise<void>,
  signal?: AbortSignal,
): (value: unknown) => Promise<void> {
  let start = '';
  return async (value) => {
    const { yamlPieces } = await import('./yaml-pieces.ts');
    let text = start;
    start = '---\n';
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
}

const enough = 64 * 1024;

/** A write to a file is done at once, and would let nothing else come in between. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
