/**
 * `npm run build:exe`: the tool as one file, `dist/exe/cictl`, that needs no Node.
 *
 * Node's single executable applications, of a Node that npm downloads: docs/decisions/executable.md.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { licences } from './licences.js';
import { warmUp } from './executable/warm-up.js';
import { nodeBinary } from './nodes.js';
import { run, say, setUp } from './setup.js';

/** With `--build-sea`, and SQLite without a warning. */
const line = '26';
const folder = 'node_modules/.cache/cictl/executable';
const target = 'dist/exe/cictl';

setUp();
const node = nodeBinary(line);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const carried = await assets();
const code = join(folder, 'code');
await warmUp(node, carried, code);
await build({ ...carried, ...(await codeIn(code)) });
// Whose bundle it carries: a test passes over one that is out of date.
await copyFile('node_modules/.cache/cictl/inputs', join(folder, 'inputs'));
await writeFile(join(dirname(target), 'THIRD-PARTY-LICENSES.txt'), await notices());
say(`${target}: ${spawnSync(target, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);

/** Names in the executable to the files that are put there. */
async function assets() {
  const manifest = JSON.parse(await readFile('node_modules/.cache/cictl/contents.json', 'utf8'));
  const inDist = Object.keys(manifest).filter((name) => /\.(cjs|json)$|^completion/.test(name));
  await bundleDriver(join(folder, 'node-sqlite.cjs'));
  return {
    ...paths(['package.json', 'bin/cictl.js', ...inDist.map((name) => `dist/${name}`)]),
    'runtime.cjs': 'scripts/executable/runtime.cjs',
    'dist/node-sqlite.cjs': join(folder, 'node-sqlite.cjs'),
    'packages/jq-wasm.cjs': 'node_modules/jq-wasm/dist/index.cjs',
    'packages/jq.wasm': 'node_modules/jq-wasm/dist/build/jq.wasm',
    ...(await terminalAddon()),
  };
}

function paths(files) {
  return Object.fromEntries(files.map((path) => [path, path]));
}

async function bundleDriver(file) {
  const build = await rolldown({ input: 'src/service/store/node-sqlite.ts', platform: 'node' });
  await build.write({ file, format: 'cjs' });
  await build.close();
}

/** Without it a job's output goes through a pipe, as where the package is not installed. */
async function terminalAddon() {
  const name = `node-pty-${process.platform}-${process.arch}`;
  const isThere = (await readdir('node_modules/@lydell').catch(() => [])).includes(name);
  return isThere ? { 'packages/pty.node': `node_modules/@lydell/${name}/pty.node` } : {};
}

async function codeIn(top) {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [`code${path.slice(top.length).replaceAll('\\', '/')}`, path];
    }),
  );
}

async function build(files) {
  const main = join(folder, 'main.cjs');
  await writeFile(main, `${await readFile(files['runtime.cjs'], 'utf8')}\nstart();\n`);
  const output = join(folder, basename(target));
  const config = join(folder, 'sea.json');
  const options = {
    main,
    output,
    assets: files,
    useCodeCache: true,
    disableExperimentalSEAWarning: true,
  };
  await writeFile(config, JSON.stringify(options));
  run(node, ['--build-sea', config]);
  await mkdir(dirname(target), { recursive: true });
  // A tool that runs from there goes on.
  await rename(output, target);
}

async function notices() {
  const contents = JSON.parse(await readFile('node_modules/.cache/cictl/contents.json', 'utf8'));
  const more = [
    'node_modules/jq-wasm/x',
    `node_modules/@lydell/node-pty-${process.platform}-${process.arch}/x`,
  ];
  const text = await readFile(join(dirname(node), '../LICENSE'), 'utf8');
  const own = { name: `Node.js ${line}, with what it brings along`, text };
  return licences([...Object.values(contents).flat(), ...more], [own]).contents;
}
