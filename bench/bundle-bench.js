/** Bundles and loads a TypeScript file of the benchmark with the sources that it imports. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Inside the package, so that dependencies are found. */
const cache = join(import.meta.dirname, '../node_modules/.cache/cictl');
const bundles = new Map();

/** @param {string} name of a file next to this one, without `.ts`; bundled once per process */
export const loadSource = (name) => {
  if (!bundles.has(name)) bundles.set(name, bundleAndLoad(name));
  return bundles.get(name);
};

async function bundleAndLoad(name) {
  const input = join(import.meta.dirname, `${name}.ts`);
  const dir = join(cache, `${name}-${process.pid}`);
  await mkdir(dir, { recursive: true });
  const build = await rolldown({ input, platform: 'node', external: ['libsql'], logLevel: 'warn' });
  try {
    await build.write({ dir, format: 'esm', entryFileNames: `${name}.mjs` });
    return await import(pathToFileURL(join(dir, `${name}.mjs`)).href);
  } finally {
    await build.close();
    await rm(dir, { recursive: true });
  }
}
