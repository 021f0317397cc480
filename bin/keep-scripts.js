'use strict';
// Saves V8's compiled code when the process exits, so that the next start does not compile it
// again. Node's own `enableCompileCache` saves the code before any function has run, which costs a
// list command 10 ms more CPU time on Node 22, 24 and 26.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const columnOffset = -wrap('').indexOf('\n');

/** Number of starts that save the code again, because each command runs different functions. */
const rounds = 4;

/** Maximum size in bytes. One cictl version uses half a megabyte. The oldest files are removed. */
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
    const options = { filename: path, columnOffset, cachedData };
    const script = compile(wrap(source.toString()), options);
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

function run(script, module, path) {
  const need = (name) => module.require(name);
  script.runInThisContext().call(module.exports, module.exports, need, module, path, dirname(path));
}

/**
 * The compiled code in a file, if the checksums match. V8 itself only compares its version and the
 * source length, so it would also run corrupt code, or code from another source of the same length.
 */
function readCode(place, source) {
  try {
    const file = readFileSync(place);
    const kept = file.subarray(0, -sumsLength);
    if (!sums(kept, source).equals(file.subarray(-sumsLength))) return {};
    return { cachedData: kept.subarray(0, -1), round: kept.at(-1) };
  } catch {
    return {};
  }
}

const sumsLength = 8;

function sums(kept, source) {
  const both = Buffer.alloc(sumsLength);
  both.writeUInt32LE(crc32(kept));
  both.writeUInt32LE(crc32(source), 4);
  return both;
}

/** If writing fails, the next start is only slower. */
function write(missing, folder) {
  if (missing.length > 0 && hasFlags) setFlags(usualFlags);
  try {
    for (const { place, script, source, round } of missing) {
      const kept = Buffer.concat([script.createCachedData(), Buffer.of(round)]);
      const draft = `${place}.${process.pid}`;
      writeFileSync(draft, Buffer.concat([kept, sums(kept, source)]), { mode: 0o600 });
      renameSync(draft, place);
    }
    if (missing.some(({ round }) => round === 0)) require('./remove-oldest.js')(folder, mostBytes);
  } catch {
    // A failure only makes the next start slower.
  }
}
