/** Bundles the tool into `dist/`: `main.js` for the launcher, `service.js` for other programs. */
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

// Packages in CommonJS call `require`, which an ES module does not have.
const banner =
  "import { createRequire as createRequireOfBundle } from 'node:module';" +
  'const require = createRequireOfBundle(import.meta.url);';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts', service: 'src/local/service.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
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
