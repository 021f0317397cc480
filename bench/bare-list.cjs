// Sends the same request as `builds list` or `builds view` with nothing else: the lower limit for a
// tool on Node.
'use strict';
const { get } = require('node:http');

const [, , base, path = 'builds?per_page=30'] = process.argv;
const url = `${base}/v2/organizations/acme/pipelines/web/${path}`;
get(url, { headers: { authorization: 'Bearer token', accept: 'application/json' } }, (answer) => {
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  answer.on('end', () => {
    for (const build of [JSON.parse(text)].flat())
      console.log(`${build.number}\t${build.state}\t${build.message}`);
  });
});
