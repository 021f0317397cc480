/**
 * Bundles the tool into `dist/`: `main.js` for the launcher, `service.js` for other programs.
 *
 * Safe beside other builds and beside a tool that runs: builds take turns, each file is replaced
 * whole, and chunks of the build before stay for a day, because a service in the background may
 * still load one. `--if-stale` does nothing when no input has changed; `--clean` begins empty.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import lockfile from 'proper-lockfile';

const cache = 'node_modules/.cache/cictl';
const stampFile = join(cache, 'inputs');
const day = 24 * 60 * 60 * 1000;

process.chdir(join(import.meta.dirname, '..'));
await mkdir(cache, { recursive: true });
const release = await lockfile.lock(cache, {
  retries: { retries: 300, minTimeout: 200, factor: 1 },
});
try {
  await run(process.argv.slice(2));
} finally {
  await release();
}

async function run(flags) {
  const stamp = await inputs();
  if (flags.includes('--if-stale') && (await isFresh(stamp))) return;
  if (flags.includes('--clean')) await rm('dist', { recursive: true, force: true });
  const { outputFiles, metafile } = await bundle();
  await replace(outputFiles);
  await removeOld(new Set(outputFiles.map((file) => basename(file.path))));
  // Which package is in which chunk: a test reads it.
  await writeFile(join(cache, 'meta.json'), JSON.stringify(metafile));
  await writeFile(stampFile, stamp);
}

function bundle() {
  // Packages in CommonJS call `require`, which an ES module does not have.
  const banner =
    "import { createRequire as createRequireOfBundle } from 'node:module';" +
    'const require = createRequireOfBundle(import.meta.url);';
  return build({
    entryPoints: { main: 'src/main.ts', service: 'src/local/service.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    // They carry WebAssembly and native code, which cannot be bundled.
    external: ['jq-wasm', 'libsql'],
    banner: { js: banner },
    logLevel: 'warning',
  });
}

/** One hash over all that a build depends on, contents and not times: a git checkout changes those. */
async function inputs() {
  const names = await readdir('src', { recursive: true });
  const sources = names.filter(
    (name) => /\.(ts|json|sql)$/.test(name) && !/\.test\.ts$/.test(name),
  );
  const files = [
    'package.json',
    'package-lock.json',
    'scripts/build.js',
    ...sources.sort().map((n) => join('src', n)),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest('hex');
}

async function isFresh(stamp) {
  const before = await readFile(stampFile, 'utf8').catch(() => '');
  const names = await readdir('dist').catch(() => []);
  return stamp === before && names.includes('main.js');
}

/** The entries come last, so that what they import is there when they are. */
async function replace(files) {
  await mkdir('dist', { recursive: true });
  const chunksFirst = [...files].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const file of chunksFirst) {
    await writeFile(`${file.path}.new`, file.contents);
    await rename(`${file.path}.new`, file.path);
  }
}

function isEntry(file) {
  return ['main.js', 'service.js'].includes(basename(file.path));
}

async function removeOld(kept) {
  for (const name of await readdir('dist')) {
    const path = join('dist', name);
    if (kept.has(name) || !name.endsWith('.js')) continue;
    if (Date.now() - (await stat(path)).mtimeMs > day) await rm(path);
  }
}
