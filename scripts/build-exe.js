/**
 * `npm run build:exe`: builds the tool as a single file, `dist/exe/cictl`, that does not need Node.
 *
 * The file is a Node single executable application, made from a Node binary that npm downloads: see
 * docs/decisions/executable.md.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { licences } from './licences.js';
import { warmUp } from './executable/warm-up.js';
import { nodeBinary } from './nodes.js';
import { run, say, setUp } from './setup.js';

/** A release line of Node that supports `--build-sea`, and SQLite without a warning. */
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
// Records the bundle that it contains; tests skip an executable that is out of date.
await copyFile('node_modules/.cache/cictl/inputs', join(folder, 'inputs'));
await writeFile(join(dirname(target), 'THIRD-PARTY-LICENSES.txt'), await notices());
say(`${target}: ${spawnSync(target, ['--version'], { encoding: 'utf8' }).stdout.trim()}`);

/** Maps names in the executable to files. */
async function assets() {
  const contents = JSON.parse(await readFile('node_modules/.cache/cictl/contents.json', 'utf8'));
  const inDist = Object.keys(contents).filter((name) => !/^man\/|^THIRD-PARTY/.test(name));
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

/** If the addon is not installed, the executable sends the output of jobs through a pipe. */
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
    // Neither NODE_OPTIONS nor an `--env-file` may inject code into the tool.
    execArgvExtension: 'none',
  };
  await writeFile(config, JSON.stringify(options));
  run(node, ['--build-sea', config]);
  await mkdir(dirname(target), { recursive: true });
  // Renaming does not affect running copies of the executable.
  await rename(output, target);
}

/** The notices of the bundle, and those that some packages omit for the code they contain. */
async function notices() {
  const contents = JSON.parse(await readFile('node_modules/.cache/cictl/contents.json', 'utf8'));
  const inputs = [...Object.values(contents).flat(), 'node_modules/jq-wasm/package.json'];
  const more = {
    [`Node.js ${line}, with what it brings along`]: join(dirname(node), '../LICENSE'),
    'jq, in jq-wasm': 'scripts/executable/notices/jq.txt',
    'node-pty, in @lydell/node-pty (MIT)': 'scripts/executable/notices/node-pty.txt',
  };
  const texts = Object.entries(more).map(async ([name, file]) => {
    return { name, text: await readFile(file, 'utf8') };
  });
  return licences(inputs, await Promise.all(texts)).contents;
}
