/**
 * Writes what is generated from the command definitions: `docs/commands.md`, the completion
 * scripts, and the names of the man pages in `package.json` (npm does not link a directory of them
 * from a tarball).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { commandsData } from './commands-data.js';

process.chdir(`${import.meta.dirname}/..`);
const { generatedFiles, manualPages } = await commandsData();
for (const [path, text] of await generatedFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  console.log(path);
}

const manifest = JSON.parse(await readFile('package.json', 'utf8'));
manifest.man = [...manualPages().keys()].sort().map((name) => `./dist/man/${name}`);
await writeFile('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
console.log('package.json');
