/**
 * Processes byte strings (one character per byte), because V8 searches and replaces those fastest.
 * The first stage of a chain accepts chunks and returns whole lines. A line above `longestLine` is
 * returned in pieces.
 */
export interface Stage<In = string> {
  push(input: In): string;
  end(): string;
  /** True if no further input is needed, so that the download can be stopped */
  readonly done?: () => boolean;
}

export function chain<In>(first: Stage<In>, ...rest: Stage[]): Stage<In> {
  return rest.reduce<Stage<In>>(pair, first);
}

/**
 * Closes the source if the consumer or the stage stops early. If the source fails, yields the
 * buffered output before throwing.
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
