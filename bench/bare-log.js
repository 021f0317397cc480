/** The minimum work: sends the same request and copies the response to standard output. */
import { get } from 'node:http';

const [url] = process.argv.slice(2);
get(url, { headers: { authorization: 'Bearer token', accept: 'text/plain' } }, (response) => {
  if (response.statusCode !== 200) process.exitCode = 1;
  response.pipe(process.stdout);
});
