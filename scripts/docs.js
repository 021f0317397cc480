/** Writes what is made from the commands' data: `docs/commands.md` and the completion scripts. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rolldown } from 'rolldown';

process.chdir(`${import.meta.dirname}/..`);
const build = await rolldown({
  input: 'src/cli/generated.ts',
  platform: 'node',
  // The handlers are not needed, and hold what a data address cannot import.
  external: /\.run\.ts$/,
});
const { output } = await build.generate({ format: 'esm', codeSplitting: false });
await build.close();
const code = Buffer.from(output[0].code).toString('base64');
const { generatedFiles } = await import(`data:text/javascript;base64,${code}`);
for (const [path, text] of await generatedFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  console.log(path);
}
