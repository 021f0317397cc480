'use strict';
/**
 * The main script of the executable: it carries the files of the package and loads them as Node would,
 * each when it is needed, with the code that V8 made of it at the build. For what the tool starts once
 * more (a service in the background, what jobs call) the executable is the Node that runs those files.
 *
 * The files lie below the path of the executable itself, where no others can be.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { dirname, join, relative, resolve, sep } = require('node:path');
const { getAssetKeys, getRawAsset } = require('node:sea');
const { debuglog } = require('node:util');
const { Script } = require('node:vm');

const root = process.execPath;
const names = new Set(getAssetKeys());
const modules = new Map();
/** `NODE_DEBUG=cictl`: a line a file. Nothing can be loaded from outside to look at them. */
const debug = debuglog('cictl');

/** Packages whose own code carries WebAssembly or a native addon. */
const packages = {
  libsql: () => load('dist/node-sqlite.cjs').NodeSqlite,
  'jq-wasm': () => ({
    loadJq: (options) =>
      load('packages/jq-wasm.cjs').loadJq({ wasmBinary: bytes('packages/jq.wasm'), ...options }),
  }),
};

useCarriedFiles();

/** Runs the program that the first words name, as Node would; without such words the tool. */
function start() {
  const words = process.argv.slice(2);
  const [first, ...others] = words[0] === '--' ? words.slice(1) : words;
  const name = nameOf(first);
  const isCarried = names.has(name);
  if (isCarried) process.argv.splice(2, Infinity, ...others);
  load(isCarried ? name : 'bin/cictl.js');
}

/** `dist/main.cjs` for the path of that file in here; undefined for every other path. */
function nameOf(path) {
  if (typeof path !== 'string' || !path.startsWith(root + sep)) return undefined;
  return relative(root, path).replaceAll(sep, '/');
}

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  if (!names.has(name)) throw notFound(name);
  const module = { exports: {} };
  modules.set(name, module);
  if (name.endsWith('.json')) module.exports = JSON.parse(text(name));
  else run(name, module);
  return module.exports;
}

function run(name, module) {
  const path = join(root, name);
  const code = `code/${name}`;
  const cachedData = names.has(code) ? bytes(code) : undefined;
  const script = new Script(Module.wrap(text(name).replace(/^#!/, '//')), {
    filename: path,
    cachedData,
  });
  debug(
    '%s: %s',
    name,
    { false: 'compiled', true: 'refused' }[script.cachedDataRejected] ?? 'text',
  );
  const need = (request) => requireFrom(dirname(path), request);
  const call = script.runInThisContext();
  call.call(module.exports, module.exports, need, module, path, dirname(path));
}

function requireFrom(folder, request) {
  const name = nameOf(request.startsWith('.') ? resolve(folder, request) : request);
  // All code that pays is in here already.
  if (name === 'bin/keep-scripts.js') return () => undefined;
  if (name !== undefined) return load(name);
  if (Object.hasOwn(packages, request)) return packages[request]();
  if (/pty\.node$/.test(request)) return addon('packages/pty.node');
  if (/^(?:node:)?worker_threads$/.test(request)) return threads();
  return require(request);
}

const bytes = (name) => Buffer.from(getRawAsset(name));
const text = (name) => bytes(name).toString();

const notFound = (name) =>
  Object.assign(new Error(`the executable does not carry ${name}`), { code: 'MODULE_NOT_FOUND' });

/** An addon has to be a file: in a folder of this process alone, and removed as soon as it is loaded. */
function addon(name) {
  if (!names.has(name)) throw notFound(name);
  const folder = fs.mkdtempSync(join(require('node:os').tmpdir(), 'cictl-'));
  const module = { exports: {} };
  try {
    const path = join(folder, 'addon.node');
    fs.writeFileSync(path, bytes(name), { mode: 0o700 });
    process.dlopen(module, path);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  return module.exports;
}

/** A thread that is to run a file from here runs this script, and then that file. */
function threads() {
  const own = require('node:worker_threads');
  class Worker extends own.Worker {
    constructor(path, options) {
      const name = nameOf(path);
      if (name === undefined) super(path, options);
      else
        super(`${text('runtime.cjs')}\nload(${JSON.stringify(name)});`, { ...options, eval: true });
    }
  }
  return { ...own, Worker };
}

/** What looks for the files of the package, or reads them, finds those in here. */
function useCarriedFiles() {
  const { existsSync, readFileSync } = fs;
  fs.existsSync = (path) => {
    const name = nameOf(path);
    return name === undefined ? existsSync(path) : names.has(name);
  };
  fs.readFileSync = (path, options) => {
    const name = nameOf(path);
    if (name === undefined || !names.has(name)) return readFileSync(path, options);
    return options === undefined ? bytes(name) : text(name);
  };
  Module.createRequire = () => (request) => requireFrom(root, request);
  Module.enableCompileCache = () => undefined;
}
