'use strict';
/**
 * The main script of the executable: loads the files of the package from the executable on demand,
 * as Node would, with code that V8 compiled at build time. When the tool starts itself again (a
 * background service, programs called by jobs), the executable acts as the Node that runs those
 * files.
 *
 * The files have paths below the executable itself, where no other files can be.
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
/** `NODE_DEBUG=cictl` prints one line per file, since nothing can be preloaded to observe them. */
const debug = debuglog('cictl');

/** Packages that contain WebAssembly or a native addon. */
const packages = {
  libsql: () => load('dist/node-sqlite.cjs').NodeSqlite,
  'jq-wasm': () => ({
    loadJq: (options) =>
      load('packages/jq-wasm.cjs').loadJq({ wasmBinary: bytes('packages/jq.wasm'), ...options }),
  }),
};

useCarriedFiles();

/** Like Node, runs the program that the first argument names. Without a program, runs the tool. */
function start() {
  const words = process.argv.slice(2);
  const [first, ...others] = words[0] === '--' ? words.slice(1) : words;
  const name = nameOf(first);
  const isCarried = names.has(name);
  if (isCarried) process.argv.splice(2, Infinity, ...others);
  load(isCarried ? name : 'bin/cictl.js');
}

/**
 * Returns `dist/main.cjs` for the path of that file in the executable; undefined for other paths.
 */
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
  // All code that is worth caching is already included.
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

/** An addon must be a file: it is written to a private directory and removed once it is loaded. */
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

/** A thread for a file in the executable first runs this script, and then that file. */
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

/** Makes `fs` and `createRequire` find the files in the executable. */
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
