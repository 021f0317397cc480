/**
 * Serves a build with many jobs, of which every tenth has failed, and the requested end of each
 * log, in its own process; prints its port. `node bench/report-server.js JOBS BYTES`
 */
import { createServer } from 'node:http';

const [count, size] = process.argv.slice(2).map(Number);
const from = Date.UTC(2026, 10, 20, 10);
const time = (second) => new Date(from + second * 1000).toISOString();
const jobs = Array.from({ length: count }, (_, at) => ({
  ...{ id: `0190046e-e199-453b-a302-${String(at).padStart(12, '0')}`, type: 'script' },
  ...{ name: `Tests of part ${at}`, step_key: `part-${at}`, command: `make test-${at}` },
  ...{ state: at % 10 === 0 ? 'failed' : 'passed', exit_status: at % 10 === 0 ? 1 : 0 },
  ...{ created_at: time(0), runnable_at: time(at), started_at: time(at + 2) },
  ...{ finished_at: time(at + 40), web_url: `https://ci.example/acme/web/builds/7#${at}` },
}));
const build = Buffer.from(
  JSON.stringify({ number: 7, state: 'failed', message: 'Fix it', branch: 'main', jobs }),
);
const line = (at) => `\x1b_bk;t=${from + at}\x07\x1b[32mok\x1b[0m ${at} src/part-${at}.test.ts\n`;
const lines = Array.from({ length: Math.ceil(size / 40) }, (_, at) => line(at));
const log = Buffer.from(`--- Set up\n+++ Tests\n${lines.join('')}Error: expected 4, got 5\n`);

const server = createServer(({ url, headers }, response) => {
  if (!url.endsWith('/log.txt')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(url.includes('/annotations') ? '[]' : build);
    return;
  }
  const start = Math.max(0, log.length - Number(/^bytes=-(\d+)$/.exec(headers.range)[1]));
  const part = `bytes ${start}-${log.length - 1}/${log.length}`;
  response.writeHead(206, { 'content-type': 'text/plain', 'content-range': part });
  response.end(log.subarray(start));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
