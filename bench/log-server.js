/** Serves the logs of a directory from memory, in its own process; prints its port. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { logNames, logPath } from './log-files.js';

const [folder] = process.argv.slice(2);
const piece = 64 * 1024;
const logs = new Map();
const server = createServer((request, response) => {
  send(request.url, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

async function send(url, response) {
  const json = /-(\d)\d(\d{10})\/log$/.exec(url);
  if (json !== null) return void sendJson(logNames[Number(json[1])], Number(json[2]), response);
  const id = /-(\d)(\d)(\d{10})\/log\.txt$/.exec(url);
  if (id === null) return void response.writeHead(404).end();
  const [, index, hasLength, digits] = id;
  const log = read(logNames[Number(index)]);
  const size = Number(digits);
  const length = hasLength === '1' ? { 'content-length': size } : {};
  response.writeHead(200, { 'content-type': 'text/plain', ...length });
  for (let sent = 0; sent < size;) {
    const from = sent % log.length;
    const part = log.subarray(from, Math.min(from + piece, from + size - sent));
    sent += part.length;
    if (!response.write(part)) await once(response, 'drain');
  }
  response.end();
}

/** The same log as `bk` requests it. */
function sendJson(name, size, response) {
  const content = read(name).toString('utf8', 0, size);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ url: '', content, size, header_times: [] }));
}

/** Read on the first request, when it exists. */
function read(name) {
  if (!logs.has(name)) logs.set(name, readFileSync(logPath(folder, name)));
  return logs.get(name);
}
