'use strict';
/**
 * Runs after `runtime.cjs` when the executable is built. Node then stores the heap in the
 * executable, which starts with it. The heap contains the files that `builds list` loads, with the
 * code that V8 compiled for it.
 *
 * `builds list` itself runs here. Its files are loaded again afterwards, so that no value in the
 * heap comes from that run.
 */
const { mkdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { getAssetKeys } = require('node:sea');
const { Writable } = require('node:stream');
const { debuglog } = require('node:util');
const { queryObjects, setFlagsFromString, startupSnapshot } = require('node:v8');

/** Loaded on first use, because they are large or because a snapshot cannot contain them. */
const late =
  /^(?:node:)?(?:child_process|crypto|https?|http2|readline|sqlite|tls|worker_threads|zlib)$/;

module.exports = async function snapshot({ compile, host, load, modules, start }) {
  const usual = { ...host };
  const files = JSON.parse(readFileSync(process.env.CICTL_FILES, 'utf8'));
  host.names = new Set(Object.keys(files));
  host.bytes = (name) => readFileSync(files[name]);
  host.builtIn = (name) =>
    late.test(name) ? onFirstUse(() => usual.builtIn(name)) : usual.builtIn(name);
  // Keeps the garbage collections below from discarding compiled code.
  setFlagsFromString('--no-flush-bytecode');
  await listBuilds(load('dist/main.cjs'));
  compile('bin/cictl.js');
  const loaded = [...modules.keys()];
  modules.clear();
  for (const name of loaded) load(name);
  await collectGarbage();
  setFlagsFromString('--flush-bytecode');
  checkRandom();
  startupSnapshot.setDeserializeMainFunction(() => {
    Object.assign(host, usual, { names: new Set(getAssetKeys()), debug: debuglog('cictl') });
    if (host.names.has('code-directory')) keepCode(String(host.bytes('code-directory')), host);
    start();
  });
};

/** Sends its requests to the service that `build-exe.js` has started. */
async function listBuilds({ execute }) {
  globalThis.WebAssembly = { Module: class {}, Instance: Parser };
  const { signal } = new AbortController();
  const sink = () => new Writable({ write: (chunk, encoding, done) => done() });
  const host = {
    ...{ env: process.env, cwd: '/', clock: { now: () => Date.now() }, signal, urgent: signal },
    ...{ stdin: { isTerminal: false }, stdout: sink(), stderr: sink() },
    secrets: { add: () => undefined, redact: String },
    ...{ nodeVersion: process.versions.node, version: '' },
  };
  for (const output of ['tsv', 'table']) {
    const words = ['builds', 'list', '-o', output];
    const { exitCode } = await execute(words, { ...host, openHost: () => host });
    if (exitCode !== 0) throw new Error(`${words.join(' ')} exited with ${exitCode}`);
  }
  delete globalThis.WebAssembly;
}

/**
 * Replaces undici's HTTP parser, because WebAssembly does not exist while a snapshot is built. Only
 * parses a response that arrives in one chunk.
 */
class Parser {
  constructor(module, { env: on }) {
    const buffer = new ArrayBuffer(2 ** 17);
    const [parser, place] = [4, 8];
    const execute = (_, at, length) => {
      const bytes = Buffer.from(buffer, at, length);
      const head = bytes.indexOf('\r\n\r\n');
      on.wasm_on_message_begin(parser);
      on.wasm_on_status(parser, at, 0);
      for (let line = bytes.indexOf('\r\n') + 2; line < head;) {
        const [colon, end] = [bytes.indexOf(': ', line), bytes.indexOf('\r\n', line)];
        on.wasm_on_header_field(parser, at + line, colon - line);
        on.wasm_on_header_value(parser, at + colon + 2, end - colon - 2);
        line = end + 2;
      }
      on.wasm_on_headers_complete(parser, 200, 0, 1);
      on.wasm_on_body(parser, at + head + 4, length - head - 4);
      on.wasm_on_message_complete(parser);
      return 0;
    };
    const ignore = () => 0;
    this.exports = {
      ...{ memory: { buffer }, malloc: () => place, free: ignore },
      ...{ llhttp_alloc: () => parser, llhttp_free: ignore, llhttp_execute: execute },
    };
  }
}

/** Node cannot store objects whose finalizers have not run. */
async function collectGarbage() {
  for (let round = 0; round < 5; round++) {
    queryObjects(Parser, { format: 'count' });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Node generates random values in advance. If the heap contained them, each start would use them. */
function checkRandom() {
  if (process.moduleLoadList.includes('NativeModule internal/crypto/random'))
    throw new Error('node:crypto must not be loaded while the snapshot is built');
}

/** A built-in module that is loaded when one of its properties is read. */
function onFirstUse(loadModule) {
  let module;
  const get = () => (module ??= loadModule());
  return new Proxy(
    {},
    {
      get: (_, key) => get()[key],
      has: (_, key) => key in get(),
      ownKeys: () => Reflect.ownKeys(get()),
      getOwnPropertyDescriptor: (_, key) => {
        const own = Object.getOwnPropertyDescriptor(get(), key);
        return own && { ...own, configurable: true };
      },
    },
  );
}

/** Writes V8's compiled code of each file to a directory if it is larger than the existing one. */
function keepCode(folder, host) {
  const scripts = new Map();
  host.noteScript = (name, script) => scripts.set(name, script);
  process.once('exit', () => {
    for (const [name, script] of scripts) {
      const file = join(folder, name);
      const code = script.createCachedData();
      if (code.length <= (statSync(file, { throwIfNoEntry: false })?.size ?? 0)) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
    }
  });
}
