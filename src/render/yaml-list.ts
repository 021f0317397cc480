import type { PrintContext } from './print-context.ts';
import { createSpool } from './spool.ts';
import { yamlPieces } from './yaml-pieces.ts';

/** One document of YAML with the elements of a list, printed when the last is there. */
export interface YamlList {
  add(element: unknown): Promise<void>;
  end(): Promise<void>;
}

export function yamlList(context: PrintContext): YamlList {
  const spool = createSpool();
  return {
    async add(element) {
      for (const piece of yamlPieces([element])) await spool.add(piece);
      context.signal?.throwIfAborted();
    },
    async end() {
      await context.write(context.startYaml());
      if (spool.length === 0) return context.write('[]\n');
      await spool.drain((piece) => context.write(piece));
    },
  };
}
