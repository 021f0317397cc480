#!/usr/bin/env node
'use strict';
// CommonJS, because an ES module that only prints starts a seventh slower. What needs no code of the
// tool (the version, the help, completion scripts) is printed here; everything else is in `dist`.
const { existsSync, fstatSync, mkdirSync, readFileSync, writeSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const args = process.argv.slice(2);
const dist = join(__dirname, '..', 'dist');
const main = join(dist, 'main.cjs');

const text = versionText(args) ?? helpText(args) ?? completionText(args);
if (text !== undefined) {
  print(Buffer.from(text));
} else if (!existsSync(main)) {
  process.stderr.write('cictl: it is not built yet\n  try: npm ci && npm run build\n');
  process.exitCode = 10;
} else {
  if (!args.includes('--no-cache')) keepCompiled(process.env);
  require(main).start();
}

function versionText(args) {
  const isAsked = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  return isAsked ? `${require('../package.json').version}\n` : undefined;
}

/** The text that the build wrote for these words; without one they go the long way. */
function helpText(args) {
  const words = helpWords(args) ?? (args.at(-1) === 'help' ? args : undefined);
  if (words === undefined || words.some((word) => word.includes(' '))) return undefined;
  if (hasLook()) return undefined;
  const file = join(dist, 'help.json');
  if (!existsSync(file)) return undefined;
  const { texts, places, topics, nouns } = JSON.parse(readFileSync(file, 'utf8'));
  const name = words.join(' ');
  // What is no command has no flags: a topic with `--help` is refused on the long way.
  const all = words === args ? nouns : args[0] === 'help' ? { ...topics, ...places } : places;
  return Object.hasOwn(all, name) ? texts[all[name]] : undefined;
}

/** `help builds`, `builds --help`, or nothing at all. */
function helpWords(args) {
  if (args.length === 0 || args[0] === 'help') return args.slice(1);
  return ['--help', '-h'].includes(args.at(-1)) ? args.slice(0, -1) : undefined;
}

/** Whether width and colour matter, which are not decided here. */
function hasLook() {
  const { FORCE_COLOR, CLICOLOR_FORCE } = process.env;
  if (FORCE_COLOR || CLICOLOR_FORCE) return true;
  try {
    return fstatSync(1).isCharacterDevice() && require('node:tty').isatty(1);
  } catch {
    return false;
  }
}

/** The script that the build wrote for this shell; what else stands on the line goes the long way. */
function completionText([noun, shell, ...more]) {
  if (noun !== 'completion' || more.length > 0 || !/^[a-z]+$/.test(shell)) return undefined;
  const file = join(dist, `completion-${shell}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Without `process.stdout`, which loads the streams of the network: a tenth of such a start. */
function print(bytes) {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    if (error.code !== 'EAGAIN') return unwritable(error);
    process.stdout.on('error', unwritable);
    process.stdout.write(bytes.subarray(written));
  }
}

/** A reader that has gone has seen enough; a full disk is told. */
function unwritable({ code, message }) {
  if (code === 'EPIPE') return;
  process.stderr.write(`cictl: standard output cannot be written: ${message}\n`);
  process.exitCode = 10;
}

/**
 * What is compiled is kept for the next start, in a folder of the user's own: Node's usual one lies
 * where others may have put something in its place. A folder that cannot be written does no harm,
 * nor does a user who has none. What turns Node's own cache off holds here, too.
 */
function keepCompiled(env) {
  const { CICTL_CACHE_DIR: chosen, XDG_CACHE_HOME, LOCALAPPDATA } = env;
  const usual = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
  try {
    const caches = resolve(require('node:os').homedir(), XDG_CACHE_HOME || LOCALAPPDATA || usual);
    const folder = join(chosen || join(caches, 'cictl'), 'compiled');
    if (!isFolder(folder) || env.NODE_DISABLE_COMPILE_CACHE) return;
    require('./keep-scripts.js')(dist, folder);
  } catch {
    // The next start takes as long as this one.
  }
}

/** Whether it is there, or can be made: Node itself would try for ever below `/proc`. */
function isFolder(path) {
  if (existsSync(path)) return true;
  const parent = dirname(path);
  if (parent === path || !isFolder(parent)) return false;
  mkdirSync(path, { mode: 0o700 });
  return true;
}
