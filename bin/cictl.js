#!/usr/bin/env node
'use strict';
// CommonJS, because an ES module that only prints starts a seventh slower. What needs no code of
// the tool (the version) is answered here; everything else is in `dist`.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const args = process.argv.slice(2);
const main = join(__dirname, '..', 'dist', 'main.js');

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (!existsSync(main)) {
  process.stderr.write('cictl: it is not built yet\n  try: npm ci && npm run build\n');
  process.exitCode = 10;
} else {
  require('node:module').enableCompileCache?.();
  import(pathToFileURL(main).href).then((tool) => tool.start());
}
