/** The measured logs: written once per run, served from memory by `log-server.js`. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { endedColorBlocks, frameBlocks, logBlocks } from './log-lines.js';

const lineSize = 100 * 1024 * 1024;
const contents = {
  marked: () => logBlocks(256e6, { marks: true }),
  coloured: () => logBlocks(lineSize),
  line: () => logBlocks(lineSize, { end: ' ' }),
  frames: () => frameBlocks(47e6),
  ended: () => endedColorBlocks(50e6),
};

/** Their names; the index of a log in this list is part of its jobs' IDs. */
export const logNames = Object.keys(contents);

export const logPath = (folder, name) => join(folder, `${name}.log`);

/**
 * An ID that needs no lookup. It tells the server which log to send, its size, and whether to send
 * its length.
 */
export const idOf = (name, size, isLong = true) =>
  `0190046e-e199-453b-a302-${logNames.indexOf(name)}${isLong ? 1 : 0}${String(size).padStart(10, '0')}`;

/** Writes a log unless it exists. */
const written = new Map();
export async function writeLog(folder, name) {
  const path = logPath(folder, name);
  if (!written.has(path)) {
    written.set(path, pipeline(Readable.from(contents[name]()), createWriteStream(path)));
  }
  await written.get(path);
}
