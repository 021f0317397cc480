/** A fake `buildkite-agent` that records how it was started. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Registers, pings until it is told to stop or receives SIGTERM, and writes its arguments to
 * `started.json`.
 */
const program = (node: string): string => `#!${node}
const { writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const value = (flag) => args[args.indexOf(flag) + 1];
const token = process.env.BUILDKITE_AGENT_TOKEN;
const names = Object.keys(process.env).filter((name) => /^CICTL_/.test(name));
if (args.includes('--broken')) {
  console.error('flag provided but not defined: -broken');
  process.exit(1);
}
const call = async (method, path, bearer, body) => {
  const headers = { authorization: 'Token ' + bearer, 'content-type': 'application/json' };
  const options = { method, headers, body: body && JSON.stringify(body) };
  return (await fetch(value('--endpoint') + path, options)).json();
};
(async () => {
  const tags = args.includes('--tags') ? value('--tags').split(',') : [];
  const body = { name: value('--name'), version: '4.0.0', pid: process.pid, meta_data: tags };
  const { access_token: own } = await call('POST', '/register', token, body);
  await call('POST', '/connect', own);
  const path = value('--build-path');
  writeFileSync('started-' + body.name + '.json', JSON.stringify({ args, path, names, pid: process.pid }));
  const leave = () => call('POST', '/disconnect', own).then(() => process.exit(0));
  process.on('SIGTERM', () => void leave());
  for (;;) if ((await call('GET', '/ping', own)).action === 'disconnect') return leave();
})();
`;

/** Creates the program in that directory; returns its path. */
export async function makeFakeAgent(folder: string, name = 'buildkite-agent'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, program(process.execPath), { mode: 0o755 });
  return path;
}
