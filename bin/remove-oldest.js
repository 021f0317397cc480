'use strict';
const { readdirSync, rmSync, statSync } = require('node:fs');
const { join } = require('node:path');

/** Removes the oldest files in a directory until the rest total at most `mostBytes` bytes. */
module.exports = function removeOldest(folder, mostBytes) {
  const files = readdirSync(folder).flatMap((name) => fileAt(join(folder, name)) ?? []);
  files.sort((a, b) => b.writtenAt - a.writtenAt);
  let bytes = 0;
  for (const { path, size } of files) {
    bytes += size;
    if (bytes > mostBytes) rmSync(path, { force: true });
  }
};

/** Undefined if another process has removed the file, or if the path is not a regular file. */
function fileAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? { path, size: found.size, writtenAt: found.mtimeMs } : undefined;
}
