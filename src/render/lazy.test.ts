import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** The packages that importing a source loads at once, without what it imports when needed. */
async function packagesOf(source: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [`src/${source}`],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    external: ['jq-wasm'],
    outdir: 'unused',
    logLevel: 'error',
  });
  const { outputs } = metafile;
  const found = new Set<string>();
  const visit = (path: string): void => {
    const inputs = Object.keys(outputs[path]?.inputs ?? {});
    for (const input of inputs) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
      if (name !== undefined) found.add(name);
    }
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') visit(next);
    }
  };
  visit(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === `src/${source}`) ?? '');
  return [...found];
}

test.each([
  ['render/output.ts', ['lossless-json']],
  ['terminal/messages.ts', []],
  ['terminal/prompt.ts', []],
  ['terminal/streams.ts', []],
])('%s loads at once only %j', async (source, packages) => {
  expect(await packagesOf(source)).toEqual(packages);
});
