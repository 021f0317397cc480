/** `buildkite-agent artifact` in jobs of the built-in service. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { useHome } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';
import { runJob, runPipeline } from './jobs.ts';
import { agent } from './agent.ts';

test('artifacts pass from one job to another with their directories', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps:
  - { key: make, command: bash make }
  - wait
  - { key: take, command: bash take }
`,
  );
  const make = `mkdir -p out/sub; printf one > out/a.txt; printf two > out/sub/b.txt; : > out/empty
    ln -s a.txt out/link
    buildkite-agent artifact upload 'out/**/*.txt;out/empty'
    buildkite-agent artifact upload out/link --upload-skip-symlinks
    buildkite-agent artifact upload 'no/*'; echo $? > code`;
  const take = `set -e
    mkdir -p in in2/out
    buildkite-agent artifact download 'out/*' in
    buildkite-agent artifact download out/a.txt in2/out --step make
    buildkite-agent artifact search 'out/**' --format '%p %s\\n' > list
    buildkite-agent artifact shasum out/a.txt > sha1; buildkite-agent artifact shasum --sha256 out/a.txt > sha256
    buildkite-agent artifact search nope --allow-empty-results`;
  await writeFile(join(folder, 'make'), make);
  await writeFile(join(folder, 'take'), take);
  const { exitCode, log, file } = await runPipeline(home, folder);
  expect(log).toContain('No files matched paths: no/*');
  expect(exitCode).toBe(0);
  expect(await file('code')).toBe('0\n');
  expect(await file('in/out/a.txt')).toBe('one');
  expect(await file('in/out/empty')).toBe('');
  expect(await file('in2/out/a.txt')).toBe('one');
  expect((await file('list')).split('\n').sort()).toEqual([
    ...['', 'out/a.txt 3', 'out/empty 0', 'out/sub/b.txt 3'],
  ]);
  expect(await file('sha1')).toBe(`${createHash('sha1').update('one').digest('hex')}\n`);
  expect(await file('sha256')).toBe(`${createHash('sha256').update('one').digest('hex')}\n`);
});

test('a pattern uploads no credentials, also through links; the exact path of one does', async () => {
  const home = await useHome();
  const folder = await pipelineIn(
    home,
    'demo',
    `steps:
  - { key: all, command: mkdir .ssh && echo k > .ssh/id_rsa && echo e > .env && ln -s .env link && echo x > .env.example,
      artifact_paths: '**/*' }
  - wait
  - { key: one, command: 'true', artifact_paths: '.env' }
  - wait
  - { command: 'buildkite-agent artifact search "**" --format "%p\\n" > list' }
`,
  );
  const { exitCode, log, file } = await runPipeline(home, folder);
  expect(exitCode, log).toBe(0);
  expect(log).toContain('Skipped files that look like credentials: .env, .ssh/id_rsa, link; ');
  const list = await file('list');
  for (const name of ['.env.example', '.env']) expect(list.split('\n')).toContain(name);
  for (const name of ['.ssh/id_rsa', 'link']) expect(list).not.toContain(name);
});

test.each([
  ['search nope', 'no matches found for "nope"'],
  ['download nope .', 'failed to download artifacts: no artifacts found for downloading'],
  ['shasum nope', 'no artifacts matched the search query'],
  [
    'download nope',
    'Missing artifact download path. See: `buildkite-agent artifact download --help`',
  ],
  ['upload', 'Missing upload paths. See: `buildkite-agent artifact upload --help`'],
  ['upload ../script-of-others', 'the path ../script-of-others is outside the working directory'],
])('`%s` fails: %s', async (words, message) => {
  const { file, log } = await runJob(
    `: > ../script-of-others; buildkite-agent artifact ${words}; echo $? > code`,
  );
  expect(await file('code')).toBe('1\n');
  expect(log).toContain(message);
});

test('a path that returns to the directory stays inside', async () => {
  const { file, log } = await runJob(
    `mkdir -p out; echo 1 > out/a; echo 2 > b; name=$(basename "$PWD")
    buildkite-agent artifact upload "out/../out/a;../$name/b"
    buildkite-agent artifact search '*' --format '%p\\n' > list`,
  );
  expect(log).toContain('Artifact uploads completed successfully');
  expect(await file('list')).toBe('out/a\nb\n');
});

const found = (url: string, path: string): Exchange => ({
  path: /^\/v3\/builds\/B\/artifacts\/search\?query=x&state=finished$/,
  answer: {
    json: [{ id: 'a', path, job_id: 'j', file_size: 2, url: `${url}/store/a` }],
  },
});

test('an artifact whose path leaves the directory is not written', async () => {
  const { url } = await serve((base) => [found(base, 'a/../../evil')]);
  const { exitCode, stderr, home } = await agent(url, ['artifact', 'download', 'x', '.']);
  expect(stderr).toContain('the artifact path "a/../../evil" is outside');
  expect(exitCode).toBe(1);
  await expect(readFile(join(home.cwd, '..', 'evil'))).rejects.toThrow('ENOENT');
});

test('a download that breaks off leaves nothing', async () => {
  const { url } = await serve((base) => [
    found(base, 'a/b'),
    { path: '/store/a', answer: { body: 'half of it', fault: 'truncate' } },
  ]);
  const { exitCode, stderr, home } = await agent(url, ['artifact', 'download', 'x', '.']);
  expect(stderr).toContain('failed to download artifacts: a/b: ');
  expect(exitCode).toBe(1);
  await expect(readFile(join(home.cwd, 'a', 'b'))).rejects.toThrow('ENOENT');
});

test('reports a rejected upload, and marks the artifact', async () => {
  const { url } = await serve((base) => [
    {
      ...{ method: 'POST', path: '/v3/jobs/J/artifacts' },
      answer: {
        status: 201,
        json: {
          artifact_ids: ['one'],
          per_artifact_instructions: { one: { actions: [{ method: 'PUT', url: `${base}/s` }] } },
        },
      },
    },
    {
      ...{ method: 'PUT', path: '/s', body: 'content' },
      headers: { 'content-length': '7', 'content-type': 'text/plain', authorization: null },
      answer: { status: 507, json: { message: 'The disk is full' } },
    },
    {
      ...{ method: 'PUT', path: '/v3/jobs/J/artifacts' },
      body: { artifacts: [{ id: 'one', state: 'error' }] },
    },
  ]);
  const home = await useHome();
  await mkdir(join(home.cwd, 'out'));
  await writeFile(join(home.cwd, 'out', 'a.log'), 'content');
  const { exitCode, stderr } = await agent(url, ['artifact', 'upload', 'out/*'], { home });
  expect(stderr).toContain('failed to upload artifacts: out/a.log: The disk is full');
  expect(exitCode).toBe(1);
});

test('sends nothing more to a service that rejected it', async () => {
  // Does not read the file, so that no client can wait for that.
  const server = createServer(({ method, url, socket, headers: { host = '' } }, response) => {
    if (url === '/s') {
      const text = '{"message":"The disk is full"}';
      // Written manually: a response of Node would close the connection.
      socket.write(`HTTP/1.1 507 No\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    } else if (method === 'POST') {
      const one = { actions: [{ method: 'PUT', url: `http://${host}/s` }] };
      const instructions = { artifact_ids: ['one'], per_artifact_instructions: { one } };
      response.writeHead(201).end(JSON.stringify(instructions));
    } else response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const home = await useHome();
  await writeFile(join(home.cwd, 'big'), Buffer.alloc(32 * 1024 * 1024));
  const { exitCode, stderr } = await agent(url, ['artifact', 'upload', 'big'], { home });
  expect(stderr).toContain('failed to upload artifacts: big: The disk is full');
  expect(exitCode).toBe(1);
});
