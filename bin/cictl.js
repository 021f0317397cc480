#!/usr/bin/env node
'use strict';
// CommonJS, because an ES module that only prints starts a seventh slower. What needs no code of
// the tool (the version) is answered here; everything else is in `dist`.
const { join } = require('node:path');

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  require('node:module').enableCompileCache?.();
  import(join(__dirname, '..', 'dist', 'main.js')).then((tool) => tool.start());
}
