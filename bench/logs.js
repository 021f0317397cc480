/** Logs: the throughput of the whole process, beside bare Node, sed and plain `ansi-to-html`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { logBlocks } from './log-lines.js';
import { cleanEnv, measure } from './pair.js';

const here = import.meta.dirname;
const tool = [process.execPath, join(here, '../bin/cictl.js')];
const node = (script, ...args) => [process.execPath, join(here, script), ...args];
const escapes = String.raw`s/\x1b_[^\x07]*\x07//g; s/\x1b\[[0-9;]*m//g`;

/** @param {string} folder for the logs, 320 MB */
export async function logRows(folder) {
  // With a time mark before each line, as agents write them; and with colours alone.
  const marked = await writeLog(folder, { megabytes: 256, marks: true });
  const coloured = await writeLog(folder, { megabytes: 64, marks: false });
  const server = spawn(process.execPath, [join(here, 'log-server.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: cleanEnv(),
  });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  const env = { HOME: folder, CICTL_BASE_URL: url, CICTL_TOKEN: 'token', CICTL_ORG: 'acme' };
  const row = (format, log, times, theirs, against) => ({
    name: `job log --format ${format}`,
    against,
    run: () => {
      const ours = [...tool, 'job', 'log', `web/1#${idOf(log, times)}`, '--format', format];
      const pair = { ours, theirs, env, rounds: 5, warmUps: 1, stdout: 'ignore' };
      return throughput(log.size * times, measure(pair));
    },
  });
  // A gigabyte of it, so that the start is not what is measured.
  const bare = node('bare-log.js', `${url}/jobs/${idOf(marked, 4)}/log.txt`);
  return {
    unit: 'MB/s',
    rows: [
      row('raw', marked, 4, bare, 'ten lines of node:http'),
      row('text', marked, 1, ['sed', escapes, marked.path], 'sed'),
      row('html', coloured, 1, node('plain-html.js', coloured.path), 'ansi-to-html, line by line'),
    ],
    close: async () => {
      server.kill();
      await once(server, 'exit');
    },
  };
}

async function writeLog(folder, { megabytes, marks }) {
  const name = marks ? 'marked' : 'coloured';
  const path = join(folder, `${name}.log`);
  await pipeline(Readable.from(logBlocks(megabytes * 1e6, marks)), createWriteStream(path));
  return { name, path, size: (await stat(path)).size };
}

/** An id that the tool need not look up; it tells the server which log to send, and how often. */
const idOf = ({ name }, times) =>
  `0190046e-e199-453b-a302-${Buffer.from(name.slice(0, 5)).toString('hex')}0${times}`;

function throughput(size, { ours, theirs }) {
  const perSecond = (milliseconds) => size / 1000 / milliseconds;
  return { ours: perSecond(ours), theirs: perSecond(theirs), ratio: theirs / ours };
}
