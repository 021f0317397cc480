'use strict';
// V8's code for the functions of `dist` that ran, written at the end of a process for the next one to
// begin with. Node's own `enableCompileCache` writes what there is before any of them has run: with it
// a list takes 10 ms more of CPU, on Node 22, 24 and 26 alike.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const columnOffset = -wrap('').indexOf('\n');

/** Starts that write a file: each command adds what it runs of it, which the others then lack no more. */
const rounds = 4;

/** Each build has files of its own, half a megabyte of them in use; those of old ones go. */
const mostBytes = 16 * 1024 * 1024;

/** Loads the files of `dist` with the code that is in `folder`, and puts there what is missing. */
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

/** V8 takes code only under the flags it was made with, and a request on Node 20 sets some of them. */
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

/** Whether the file that asks services was loaded, which sets them on Node 20. */
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
 * The code in a file, where its sums are right: V8 itself compares the length of the source and its
 * own version, and would run what is damaged, or made of another source as long.
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

/** Where nothing can be written, the next start takes as long as this one. */
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
    // As above.
  }
}
