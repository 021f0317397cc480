// Sends the same request as `builds list` with nothing else: the lower limit for a tool on Node.
import { get } from 'node:http';

const url = `${process.argv[2]}/v2/organizations/acme/pipelines/web/builds?per_page=30`;
get(url, { headers: { authorization: 'Bearer token', accept: 'application/json' } }, (answer) => {
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  answer.on('end', () => {
    for (const build of JSON.parse(text))
      console.log(`${build.number}\t${build.state}\t${build.message}`);
  });
});
