import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

/** The packages that a source loads statically, directly or indirectly. */
async function packagesOf(source: string): Promise<string[]> {
  const build = await rolldown({
    input: `src/${source}`,
    platform: 'node',
    external: ['jq-wasm'],
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  const found = new Set<string>();
  const visit = (fileName: string): void => {
    const chunk = output.find((each) => each.fileName === fileName);
    if (chunk?.type !== 'chunk') return;
    for (const id of chunk.moduleIds) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
      if (name !== undefined) found.add(name);
    }
    chunk.imports.forEach(visit);
  };
  visit(output[0].fileName);
  return [...found];
}

test.each([
  ['render/output.ts', ['lossless-json']],
  ['terminal/messages.ts', []],
  ['terminal/prompt.ts', []],
  ['terminal/streams.ts', []],
])('%s loads only %j at first', async (source, packages) => {
  expect(await packagesOf(source)).toEqual(packages);
});
