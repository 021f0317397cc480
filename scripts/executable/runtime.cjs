'use strict';
/**
 * The main script of the executable: loads the files of the package from the executable on demand,
 * as Node would, with code that V8 compiled at build time. When the tool starts itself again (a
 * background service, programs called by jobs), the executable acts as the Node that runs those
 * files.
 *
 * `snapshot.cjs` follows when the executable is built. A worker thread runs this file only.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { getAssetKeys, getRawAsset, isSea } = require('node:sea');
const { debuglog } = require('node:util');
const { Script } = require('node:vm');

/** The files have paths below this one, where no other files can be. */
const root = '/dev/null/cictl';
const modules = new Map();
/** Files as functions, which V8 has compiled. */
const compiled = new Map();
/** What differs while a snapshot is built. */
const host = {
  names: new Set(isSea() ? getAssetKeys() : []),
  bytes: (name) => Buffer.from(getRawAsset(name)),
  builtIn: (name) => (/^(?:node:)?worker_threads$/.test(name) ? threads() : require(name)),
  /** `NODE_DEBUG=cictl` prints one line per file, since nothing can be preloaded to observe them. */
  debug: debuglog('cictl'),
  noteScript: () => undefined,
};
const has = (name) => host.names.has(name);
const bytes = (name) => host.bytes(name);
const text = (name) => bytes(name).toString();

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
  const isCarried = has(name);
  if (isCarried) process.argv.splice(2, Infinity, ...others);
  load(isCarried ? name : 'bin/cictl.js');
}

/**
 * Returns `dist/main.cjs` for the path of that file in the executable; undefined for other paths.
 */
function nameOf(path) {
  if (typeof path !== 'string' || !path.startsWith(`${root}/`)) return undefined;
  return path.slice(root.length + 1);
}

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  if (!has(name)) throw notFound(name);
  const module = { exports: {} };
  modules.set(name, module);
  if (name.endsWith('.json')) module.exports = JSON.parse(text(name));
  else run(name, module);
  return module.exports;
}

function run(name, module) {
  const path = join(root, name);
  const folder = dirname(path);
  const need = (request) => requireFrom(folder, request);
  compile(name).call(module.exports, module.exports, need, module, path, folder);
}

function compile(name) {
  if (compiled.has(name)) return compiled.get(name);
  const code = `code/${name}`;
  const cachedData = has(code) ? bytes(code) : undefined;
  const script = new Script(Module.wrap(text(name).replace(/^#!/, '//')), {
    filename: join(root, name),
    cachedData,
  });
  host.debug(
    '%s: %s',
    name,
    { false: 'compiled', true: 'refused' }[script.cachedDataRejected] ?? 'text',
  );
  host.noteScript(name, script);
  compiled.set(name, script.runInThisContext());
  return compiled.get(name);
}

function requireFrom(folder, request) {
  const name = nameOf(request.startsWith('.') ? resolve(folder, request) : request);
  // All code that is worth caching is already included.
  if (name === 'bin/keep-scripts.js') return () => undefined;
  if (name !== undefined) return load(name);
  if (Object.hasOwn(packages, request)) return packages[request]();
  if (/pty\.node$/.test(request)) return addon('packages/pty.node');
  return host.builtIn(request);
}

const notFound = (name) =>
  Object.assign(new Error(`the executable does not carry ${name}`), { code: 'MODULE_NOT_FOUND' });

/** An addon must be a file: it is written to a private directory and removed once it is loaded. */
function addon(name) {
  if (!has(name)) throw notFound(name);
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
    return name === undefined ? existsSync(path) : has(name);
  };
  fs.readFileSync = (path, options) => {
    const name = nameOf(path);
    if (name === undefined || !has(name)) return readFileSync(path, options);
    return options === undefined ? bytes(name) : text(name);
  };
  Module.createRequire = () => (request) => requireFrom(root, request);
  Module.enableCompileCache = () => undefined;
}

module.exports = { compile, host, load, modules, start };
