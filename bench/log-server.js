/** Serves logs from a folder, in a process of its own; prints its port. `logs.js` makes the ids. */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [folder] = process.argv.slice(2);
const files = { marke: 'marked.log', colou: 'coloured.log' };
const server = createServer((request, response) => {
  send(request.url, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

async function send(url, response) {
  const [, name, times] = /-(\w{10})(\d\d)\/log\.txt$/.exec(url);
  const path = join(folder, files[Buffer.from(name, 'hex').toString()]);
  response.writeHead(200, { 'content-type': 'text/plain' });
  await pipeline(repeated(path, Number(times)), response);
}

async function* repeated(path, times) {
  for (let time = 0; time < times; time++) yield* createReadStream(path);
}
