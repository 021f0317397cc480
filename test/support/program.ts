/** Bundles TypeScript programs to run in their own process: Node 20 cannot run TypeScript. */
import { join } from 'node:path';
import { rolldown, type RolldownOptions } from 'rolldown';
import { rawTexts } from '../../scripts/bundle-texts.js';

/** Bundles a source and its imports into the ES module `outfile`. */
export const bundleProgram = (source: string, outfile: string): Promise<void> =>
  bundle({ input: source }, outfile);

/** Bundles a few lines, whose imports are resolved as if they were in a file in `folder`. */
export function bundleLines(lines: string, folder: string, outfile: string): Promise<void> {
  const source = join(folder, 'lines.ts');
  const given = {
    name: 'lines',
    resolveId: (id: string) => (id === source ? id : undefined),
    load: (id: string) => (id === source ? lines : undefined),
  };
  return bundle({ input: source, plugins: [given] }, outfile);
}

async function bundle(options: RolldownOptions, outfile: string): Promise<void> {
  const build = await rolldown({
    ...options,
    plugins: [options.plugins, rawTexts],
    platform: 'node',
    // These contain WebAssembly and native code, which cannot be bundled.
    external: ['jq-wasm', 'libsql'],
    logLevel: 'warn',
  });
  try {
    await build.write({ file: outfile, format: 'esm', codeSplitting: false });
  } finally {
    await build.close();
  }
}
