/**
 * Writes what is made from the commands' data: `docs/commands.md`, the completion scripts, and the names
 * of the manual pages in `package.json` (npm links no folder of them from a package in a file).
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
