/**
 * Bundles the tool into `dist/`: `main.cjs`, `help.json` and the completion scripts for the
 * launcher, and `service.js` for other programs.
 *
 * Safe with concurrent builds and while the tool runs: builds take turns, files are replaced
 * atomically, and chunks of the previous build are kept for a day, because a background service may
 * still load them. `--if-stale` does nothing if no input has changed; `--clean` starts with an
 * empty directory.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { bundle } from './bundle.js';
import { commandsData } from './commands-data.js';
import { licences } from './licences.js';

const cache = 'node_modules/.cache/cictl';
const stampFile = join(cache, 'inputs');
const day = 24 * 60 * 60 * 1000;
/** Files in `completions/` by shell. */
const completions = {
  bash: 'cictl.bash',
  zsh: '_cictl',
  fish: 'cictl.fish',
  powershell: 'cictl.ps1',
};

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
  const code = await bundle();
  const notices = licences(code.flatMap(({ inputs }) => inputs));
  const files = [...(await generatedFiles()), ...code, notices];
  await replace(files);
  await removeOld(new Set(files.map(({ name }) => name)));
  // Records which source is in which file, for a test.
  const contents = Object.fromEntries(files.map(({ name, inputs }) => [name, inputs]));
  await writeFile(join(cache, 'contents.json'), JSON.stringify(contents));
  await writeFile(stampFile, stamp);
}

/**
 * Generated from the command definitions: the texts that the launcher prints, and the man pages.
 */
async function generatedFiles() {
  const { generatedFiles: repositoryFiles, helpTexts, manualPages } = await commandsData();
  const ofRepository = await repositoryFiles();
  const texts = [
    ['help.json', JSON.stringify(await helpTexts())],
    ...Object.entries(completions).map(([shell, file]) => [
      `completion-${shell}.txt`,
      ofRepository.get(`completions/${file}`),
    ]),
    ...[...manualPages()].map(([page, text]) => [`man/${page}`, text]),
  ];
  return texts.map(([name, contents]) => ({ name, contents, inputs: [] }));
}

/**
 * One hash of everything that a build depends on. Uses contents, because a git checkout changes
 * times.
 */
async function inputs() {
  const names = await readdir('src', { recursive: true });
  const sources = names.filter(
    (name) => /\.(tsx?|json|sql|css|js|svg)$/.test(name) && !/\.test\.tsx?$/.test(name),
  );
  const files = [
    'package.json',
    'package-lock.json',
    'scripts/build.js',
    'scripts/bundle.js',
    'scripts/commands-data.js',
    'scripts/bundle-lazy.js',
    'scripts/bundle-texts.js',
    'scripts/bundle-unused.js',
    'scripts/licences.js',
    ...sources.sort().map((n) => join('src', n)),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(file));
  return hash.digest('hex');
}

async function isFresh(stamp) {
  const before = await readFile(stampFile, 'utf8').catch(() => '');
  const names = await readdir('dist').catch(() => []);
  return stamp === before && names.includes('main.cjs');
}

/** In the order of `files`, so that imported files exist before their importers. */
async function replace(files) {
  await mkdir('dist/man', { recursive: true });
  for (const { name, contents } of files) {
    const path = join('dist', name);
    await writeFile(`${path}.new`, contents);
    await rename(`${path}.new`, path);
  }
}

async function removeOld(kept) {
  for (const name of await readdir('dist')) {
    const path = join('dist', name);
    if (kept.has(name) || !/\.c?js$/.test(name)) continue;
    if (Date.now() - (await stat(path)).mtimeMs > day) await rm(path);
  }
}
