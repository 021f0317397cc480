/** Writes what is made from the commands' data: `docs/commands.md` and the completion scripts. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { commandsData } from './commands-data.js';

process.chdir(`${import.meta.dirname}/..`);
const { generatedFiles } = await commandsData();
for (const [path, text] of await generatedFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  console.log(path);
}
