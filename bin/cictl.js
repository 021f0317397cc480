#!/usr/bin/env node
'use strict';
// CommonJS, because an ES module takes 15% longer to start. Prints the version, the help and the
// completion scripts without loading the tool itself, which is in `dist`.
const { existsSync, fstatSync, mkdirSync, readFileSync, writeSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');

const args = process.argv.slice(2);
const dist = join(__dirname, '..', 'dist');
const main = join(dist, 'main.cjs');

const text = versionText(args) ?? helpText(args) ?? completionText(args);
if (text !== undefined) {
  print(Buffer.from(text));
} else if (!existsSync(main)) {
  process.stderr.write('cictl: not built yet\n  try: npm ci && npm run build\n');
  process.exitCode = 10;
} else {
  if (!args.includes('--no-cache')) keepCompiled(process.env);
  require(main).start();
}

function versionText(args) {
  const isAsked = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  return isAsked ? `${require('../package.json').version}\n` : undefined;
}

/** Returns the prebuilt help text, or undefined if the tool itself must handle the arguments. */
function helpText(args) {
  const words = helpWords(args) ?? (args.at(-1) === 'help' ? args : undefined);
  if (words === undefined || words.some((word) => word.includes(' '))) return undefined;
  if (hasLook()) return undefined;
  const file = join(dist, 'help.json');
  if (!existsSync(file)) return undefined;
  const { texts, places, topics, nouns } = JSON.parse(readFileSync(file, 'utf8'));
  const name = words.join(' ');
  // Help topics accept no flags, so the tool itself rejects `--help` after a topic.
  const all = words === args ? nouns : args[0] === 'help' ? { ...topics, ...places } : places;
  return Object.hasOwn(all, name) ? texts[all[name]] : undefined;
}

/** The arguments after `help` or before `--help`; undefined for other command lines. */
function helpWords(args) {
  if (args.length === 0 || args[0] === 'help') return args.slice(1);
  return ['--help', '-h'].includes(args.at(-1)) ? args.slice(0, -1) : undefined;
}

/** Whether the help depends on the width or color of the terminal. If so, the tool prints it. */
function hasLook() {
  const { FORCE_COLOR, CLICOLOR_FORCE } = process.env;
  if (FORCE_COLOR || CLICOLOR_FORCE) return true;
  try {
    return fstatSync(1).isCharacterDevice() && require('node:tty').isatty(1);
  } catch {
    return false;
  }
}

/** Returns the prebuilt completion script, or undefined if the tool must handle the arguments. */
function completionText([noun, shell, ...more]) {
  if (noun !== 'completion' || more.length > 0 || !/^[a-z]+$/.test(shell)) return undefined;
  const file = join(dist, `completion-${shell}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Avoids `process.stdout`, whose network streams would take a tenth of the startup time. */
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

/** A closed pipe is not an error; a full disk is. */
function unwritable({ code, message }) {
  if (code === 'EPIPE') return;
  process.stderr.write(`cictl: cannot write to standard output: ${message}\n`);
  process.exitCode = 10;
}

/**
 * Keeps compiled code for the next start in a private directory, because other users could plant
 * code in Node's default one. Does nothing if the directory cannot be written, if the user has no
 * home, or if Node's own cache is disabled.
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
    // A failure only makes the next start slower.
  }
}

/** Whether the directory exists or can be created. Node's recursive `mkdir` hangs below `/proc`. */
function isFolder(path) {
  if (existsSync(path)) return true;
  const parent = dirname(path);
  if (parent === path || !isFolder(parent)) return false;
  mkdirSync(path, { mode: 0o700 });
  return true;
}
