/** Logs of local slots redact the same secrets as an agent of version 4. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAgents } from '../support/agents.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { openBackground } from './background.ts';

const program = findAgents(process.env).findLast(({ major }) => major >= 4);

const ofAgent = {
  AZURE_CONNECTION_STRING: 'AccountKey=c0ffee/17==;Suffix=x',
  DEPLOY_TOKEN: 'first "line"\nsecond\\line of it',
  QUOTED_PASSWORD: `pa"ss\\wo'rd $x&y`,
};
const others = {
  DATABASE_URL: 'postgres://me:hunter2@db/x',
  MYSQL_PWD: 'mysql-secret',
  PGPASSWORD: 'pg-secret-7',
  GH_PAT: 'ghp-secret-7',
  AUTHORIZATION: 'Bearer c0ffee17',
  GPG_PASSPHRASE: 'open-sesame-7',
  GOOGLE_CREDENTIALS: 'google-secret-7',
};
const all: Readonly<Record<string, string>> = { ...ofAgent, ...others };

/** Each prints a variable in one or more forms. */
const forms: Readonly<Record<string, string>> = {
  plain: 'process.stdout.write(x)',
  json: 'process.stdout.write(JSON.stringify({ x }))',
  url: 'process.stdout.write(encodeURIComponent(x))',
  base64: 'process.stdout.write(Buffer.from(x).toString("base64"))',
  header: 'process.stdout.write(Buffer.from("user:" + x).toString("base64"))',
};
const script = `
for (const name of ${JSON.stringify(Object.keys(all))}) {
  const x = process.env[name];
  ${Object.entries(forms)
    .map(
      ([form, code]) => `process.stdout.write("<" + name + " ${form}>"); ${code}; console.log();`,
    )
    .join('\n  ')}
}
console.log('<');`;

/** Maps each `NAME FORM` to what the log shows. */
const shownIn = (log: string): Record<string, string> =>
  Object.fromEntries(
    [...log.matchAll(/^<(\w+ \w+)>([^]*?)\n(?=<)/gm)].map(([, what = '', text = '']) => [
      what,
      text,
    ]),
  );

const yaml = `steps: [{ key: work, command: node print.cjs, env: ${JSON.stringify(all)} }]`;

test.skipIf(program === undefined)('redacts what the agent redacts, and more', async (context) => {
  if (program === undefined) return;
  const scene = await openBackground(program);
  context.onTestFinished(() => scene.close());
  const folder = await pipelineIn(scene.home, 'p', yaml.replaceAll('$x', '$$x'));
  await writeFile(join(folder, 'print.cjs'), script);
  scene.agent();
  await scene.cictl(['run', folder]);
  await scene.cictl(['run', '--agents', folder]);
  const [here, there] = [await scene.log(1, 'work'), await scene.log(2, 'work')].map(shownIn);
  expect(Object.keys(here ?? {})).toHaveLength(Object.keys(all).length * Object.keys(forms).length);
  for (const name of Object.keys(ofAgent))
    for (const form of ['plain', 'json'])
      expect(there?.[`${name} ${form}`], name).toBe(here?.[`${name} ${form}`]);
  for (const [what, text] of Object.entries(here ?? {}))
    expect(text, what).toMatch(/^(?:\{"x":"|dXNlcjp)?\[REDACTED\]\w?(?:"\}|=*)$/);
});
