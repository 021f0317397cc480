/** Writes what is made from the commands' data: `docs/commands.md` and the completion scripts. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';

process.chdir(`${import.meta.dirname}/..`);
const { outputFiles } = await build({
  entryPoints: ['src/cli/generated.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  // The handlers are not needed, and hold what a data address cannot import.
  external: ['*.run.ts'],
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { generatedFiles } = await import(`data:text/javascript;base64,${code}`);
for (const [path, text] of await generatedFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  console.log(path);
}
