/** Secrets of page sessions are only kept in memory. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

test("no code, session or form token is in the service's log or directory", async () => {
  const home = await useHome();
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  const url = (await local('up')).stdout.trim();
  const { adminToken } = JSON.parse(await readFile(join(home.dataDir, 'service.json'), 'utf8')) as {
    adminToken: string;
  };
  const secrets = await useSession(url, adminToken);
  expect(secrets.map((secret) => secret.split('_')[0])).toEqual(['code', 'session', 'form']);
  expect((await local('down')).exitCode).toBe(0);
  const texts = [(await local('logs')).stdout, ...(await filesIn(home.root))];
  expect(texts.some((text) => text.includes(url))).toBe(true);
  for (const secret of secrets) expect(texts.some((text) => text.includes(secret))).toBe(false);
});

/** Signs in, checks that all three are rejected, and returns them. */
async function useSession(url: string, adminToken: string): Promise<string[]> {
  const asked = { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } };
  const { code, path } = (await (await fetch(`${url}/local/v1/sign-in-codes`, asked)).json()) as {
    code: string;
    path: string;
  };
  const accept = 'text/html';
  const entered = await fetch(url + path, { redirect: 'manual', headers: { accept } });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(url, { headers: { accept, cookie } })).text();
  const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const post = { method: 'POST', headers: { accept, cookie } };
  for (const response of [
    await fetch(url + path, { headers: { accept } }),
    await fetch(`${url}/-/sign-out`, {
      ...post,
      body: new URLSearchParams({ form_token: `${formToken}x` }),
    }),
    await fetch(`${url}/-/sign-out`, {
      ...post,
      headers: { ...post.headers, origin: 'http://x.invalid' },
    }),
  ])
    expect([401, 403]).toContain(response.status);
  return [code, cookie.replace(/^.*=/, ''), formToken];
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.map((name) => join(folder, name));
  const isFile = await Promise.all(paths.map(async (path) => (await stat(path)).isFile()));
  return Promise.all(paths.filter((_, at) => isFile[at]).map((path) => readFile(path, 'latin1')));
}
