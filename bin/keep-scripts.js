'use strict';
// Saves V8's compiled code when the process exits, so that the next start does not compile it
// again. Node's own `enableCompileCache` saves the code before any function has run, which costs a
// list command 10 ms more CPU time on Node 22, 24 and 26.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

const [header, footer] = Module.wrap('|').split('|');

/** Number of starts that save the code again, because each command runs different functions. */
const rounds = 4;

/** Maximum size in bytes. One cictl version uses two megabytes. The oldest files are removed. */
const mostBytes = 16 * 1024 * 1024;

/** Loads the files of `dist` with the compiled code in `folder`. Saves missing code on exit. */
module.exports = function keepScripts(dist, folder) {
  const missing = [];
  const loadAsUsual = require.extensions['.js'];
  require.extensions['.cjs'] = (module, path) => {
    if (dirname(path) !== dist) return loadAsUsual(module, path);
    const source = readFileSync(path);
    const place = join(folder, `${process.version}-${process.arch}-${basename(path)}`);
    const { cachedData, round } = readCode(place, source);
    const options = { filename: path, columnOffset: -header.length, cachedData };
    const script = compile(wrapped(source), options);
    const next = cachedData === undefined || script.cachedDataRejected ? 0 : round + 1;
    if (next < rounds) missing.push({ place, script, source, round: next });
    run(script, module, path);
    hasFlags ||= process.versions.node.startsWith('20.') && /[\\/]undici-transport-/.test(path);
  };
  process.once('exit', () => write(missing, folder));
};

/** V8 only accepts code compiled with the same flags, which an HTTP request changes on Node 20. */
function compile(source, options) {
  const script = new Script(source, options);
  if (!script.cachedDataRejected || !hasFlags) return script;
  setFlags(usualFlags);
  try {
    return new Script(source, options);
  } finally {
    setFlags(requestFlags);
  }
}

/** Whether the HTTP transport was loaded, which sets V8 flags on Node 20. */
let hasFlags = false;
const usualFlags = ['--no-liftoff-only', '--wasm-tier-up', '--wasm-dynamic-tiering'];
const requestFlags = ['--liftoff-only'];

function setFlags(flags) {
  const { setFlagsFromString } = require('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}

/** The files are ASCII (`scripts/bundle.js`), so that V8 can use the bytes as they are. */
const wrapped = (source) =>
  Buffer.concat([Buffer.from(header), source, Buffer.from(footer)]).latin1Slice();

function run(script, module, path) {
  const need = (name) => module.require(name);
  script.runInThisContext().call(module.exports, module.exports, need, module, path, dirname(path));
}

/**
 * The compiled code in a file, if it is intact and belongs to the source. V8 itself only compares
 * its version and the source length. The file contains the code twice and then the source, because
 * comparing bytes is faster than loading Node's checksums.
 */
function readCode(place, source) {
  try {
    const file = readFileSync(place);
    const size = (file.length - source.length) / 2;
    const kept = file.subarray(0, size);
    const isIntact = file.subarray(size, 2 * size).equals(kept);
    if (!isIntact || !file.subarray(2 * size).equals(source)) return {};
    return { cachedData: kept.subarray(0, -1), round: kept.at(-1) };
  } catch {
    return {};
  }
}

/** If writing fails, the next start is only slower. */
function write(missing, folder) {
  if (missing.length > 0 && hasFlags) setFlags(usualFlags);
  try {
    for (const { place, script, source, round } of missing) {
      const kept = Buffer.concat([script.createCachedData(), Buffer.of(round)]);
      const draft = `${place}.${process.pid}`;
      writeFileSync(draft, Buffer.concat([kept, kept, source]), { mode: 0o600 });
      renameSync(draft, place);
    }
    if (missing.some(({ round }) => round === 0)) require('./remove-oldest.js')(folder, mostBytes);
  } catch {
    // A failure only makes the next start slower.
  }
}
