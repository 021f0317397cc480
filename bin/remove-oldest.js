'use strict';
const { readdirSync, rmSync, statSync } = require('node:fs');
const { join } = require('node:path');

/** Removes files of a folder, those first that were written first, until they have so many bytes. */
module.exports = function removeOldest(folder, mostBytes) {
  const files = readdirSync(folder).flatMap((name) => fileAt(join(folder, name)) ?? []);
  files.sort((a, b) => b.writtenAt - a.writtenAt);
  let bytes = 0;
  for (const { path, size } of files) {
    bytes += size;
    if (bytes > mostBytes) rmSync(path, { force: true });
  }
};

/** Undefined where another process has removed it, or it is no file. */
function fileAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? { path, size: found.size, writtenAt: found.mtimeMs } : undefined;
}
