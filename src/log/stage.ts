/**
 * A log is worked on in stages. Each takes what has come and gives what can be given by then, as
 * byte strings: one character is one byte, which is what V8 searches and replaces fastest.
 *
 * The first stage of a chain reads chunks of bytes, split anywhere. It hands on whole lines, so the
 * stages behind it may rely on that; only a line above `longestLine` comes in several pieces.
 */
export interface Stage<In = string> {
  push(input: In): string;
  /** What was buffered; called once, after the last push. */
  end(): string;
  /** True when nothing that may still come can matter: the download can be stopped. */
  readonly done?: () => boolean;
}

/** Runs stages one after the other, as one stage. */
export function chain<In>(first: Stage<In>, ...rest: Stage[]): Stage<In> {
  return rest.reduce<Stage<In>>(pair, first);
}

/**
 * Sends a log through a stage. Leaving the loop early, or `done`, closes the source. Of a source
 * that breaks off what was buffered is given first, and then its error.
 */
export async function* pump(
  source: AsyncIterable<Uint8Array>,
  stage: Stage<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of source) {
      yield* asBuffers(stage.push(chunk));
      if (stage.done?.() === true) break;
    }
  } catch (error) {
    yield* asBuffers(stage.end());
    throw error;
  }
  yield* asBuffers(stage.end());
}

function* asBuffers(piece: string): Generator<Buffer> {
  if (piece !== '') yield Buffer.from(piece, 'latin1');
}

function pair<In>(first: Stage<In>, second: Stage): Stage<In> {
  return {
    push: (input) => second.push(first.push(input)),
    end: () => second.push(first.end()) + second.end(),
    done: () => second.done?.() === true || first.done?.() === true,
  };
}
