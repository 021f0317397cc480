'use strict';
/**
 * `node warm.cjs ASSETS CODE WORDS...`: runs the executable's main script on plain Node of the same
 * version with the files that ASSETS (JSON, names to paths) lists. Writes V8's compiled code of
 * each file to the directory CODE if it is larger than the existing one.
 */
const fs = require('node:fs');
const { dirname, join } = require('node:path');
const vm = require('node:vm');

const [assetsFile, folder, ...words] = process.argv.slice(2);
const assets = JSON.parse(fs.readFileSync(assetsFile, 'utf8'));
const runtime = fs.readFileSync(assets['runtime.cjs'], 'utf8');
const scripts = new Map();

class Script extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.set(options.filename, this);
  }
}

/** Returns code that replaces `node:sea`. The code is a string, because threads need it too. */
const carrying = (files) => `{
  const { readFileSync } = { ...require('node:fs') };
  const files = ${JSON.stringify(files)};
  const sea = {
    getAssetKeys: () => Object.keys(files),
    getRawAsset: (name) => new Uint8Array(readFileSync(files[name])).buffer,
  };
  const others = require;
  require = (name) => (name === 'node:sea' ? sea : others(name));
}
`;
const threadScript = join(folder, '../thread.cjs');
fs.writeFileSync(threadScript, `${carrying(assets)}${runtime}`);
const main = `${carrying({ ...assets, 'runtime.cjs': threadScript })}${runtime}\nstart();`;

process.once('exit', write);
process.argv.splice(2, Infinity, ...words);
const own = (name) => (name === 'node:vm' ? { ...vm, Script } : require(name));
new Function('require', main)(own);

function write() {
  for (const [path, script] of scripts) {
    const file = join(folder, path.slice(process.execPath.length + 1));
    const code = script.createCachedData();
    if (code.length <= (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0)) continue;
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, code);
  }
}
