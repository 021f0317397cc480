/**
 * Every URL of the built-in service in API responses and in the tool's output opens in a browser.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entries } from '../../src/cli/tree.ts';
import { asBrowser, signIn, type Browse } from '../support/sign-in.ts';
import { createScene, type Scene } from './address-scene.ts';
import { changingLines, graphqlQuery, readingLines, silentCommands } from './command-lines.ts';
import { crawlApi } from './crawl-api.ts';
import { crawlPages } from './crawl-pages.ts';

let scene: Scene;
let look: Browse;
/** A token for all organizations; older tokens do not reach organizations that were added later. */
let token: string;
/** Maps paths with query and fragment to where they were found. */
const met = new Map<string, string>();
/** Paths of logs of jobs that have not started. */
let unwritten: ReadonlySet<string>;

beforeAll(async () => {
  scene = await createScene();
  for (const [name, line] of linesOf(changingLines)) await typeAndNote(name, line);
  // Unfinished builds would change during the test.
  const builds = await scene.type(['builds', 'list', 'demo', '--numbers']);
  for (const number of builds.trim().split('\n'))
    await scene.type(['builds', 'watch', `demo/${number}`]);
  const open = linesOf(readingLines);
  const work = async (): Promise<void> => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) await typeAndNote(...next);
  };
  await Promise.all([work(), work(), work(), work()]);
  scene.printed.forEach((text) => note(text, 'while the scene was made'));
  const found = await crawlApi(scene);
  unwritten = found.unwritten;
  for (const [address, members] of found.addresses) note(address, `the API: ${members}`);
  look = await signIn(scene);
  const made = await scene.type(['local', 'token', 'create', '--json']);
  ({ token } = JSON.parse(made) as { token: string });
});

afterAll(() => scene.remove());

const linesOf = (lines: typeof readingLines): [name: string, line: string][] =>
  Object.entries(lines).flatMap(([name, all]) => all.map((line): [string, string] => [name, line]));

async function typeAndNote(name: string, line: string): Promise<void> {
  note(await scene.type(wordsOf(name, line)), `cictl ${name} ${line}`);
}

function wordsOf(name: string, line: string): string[] {
  const words = line.split(' ').filter((word) => word !== '');
  const given = words.map((word) =>
    word === 'GRAPHQL'
      ? graphqlQuery
      : word.replace(/^BUILD(?=#|$)/, 'demo/1').replace('WAITING', 'demo/2'),
  );
  return [...name.split(' '), ...given];
}

function note(text: string, where: string): void {
  for (const [address] of text.matchAll(/https?:\/\/127\.0\.0\.1:\d+[^\s"'`<>)\]}\\]*/g)) {
    const { origin, pathname, search, hash, searchParams } = new URL(address);
    expect(origin, where).toBe(scene.url);
    const paths = [pathname + search + hash];
    if (pathname === '/-/sign-in') paths.push(searchParams.get('to') ?? '');
    for (const path of paths) if (!met.has(path)) met.set(path, where);
  }
}

const isApi = (path: string): boolean => /^\/(v[123]|local\/v1)(\/|$|\?)/.test(path);
const isPicture = (path: string): boolean => /^\/(emojis|avatars|badges)\//.test(path);
const isFile = (path: string): boolean => path.startsWith('/v3/artifacts/');
const isSignIn = (path: string): boolean => path.startsWith('/-/sign-in?');

/** URLs that no page links to: of agents without a job, and of webhooks. */
const isAlone = (path: string): boolean => /^\/(organizations|webhooks)\//.test(path);

const pages = (): string[] =>
  [...met.keys()].filter((path) => !isApi(path) && !isPicture(path) && !isSignIn(path));

/** Each path for which `right` does not hold, with the response and where the path was found. */
async function wrong(
  paths: Iterable<string>,
  ask: (path: string) => Promise<Response>,
  right: (response: Response, path: string) => boolean | Promise<boolean>,
): Promise<string[]> {
  const failed: string[] = [];
  const open = [...paths];
  const work = async (): Promise<void> => {
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const response = await ask(path);
      if (await right(response, path)) await response.body?.cancel();
      else failed.push(`${path}: ${response.status} (${met.get(path) ?? '?'})`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return failed;
}

const stranger: Browse = (path, init = {}) =>
  fetch(scene.url + path, { headers: asBrowser, redirect: 'manual', ...init });
const withToken: Browse = (path) =>
  fetch(scene.url + path, { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
const typeOf = ({ headers }: Response): string => headers.get('content-type') ?? '';

test('every command is tested, or prints no URL of the service', () => {
  const known = [changingLines, readingLines].flatMap(Object.keys).concat(silentCommands).sort();
  const names = entries.map(({ command }) => command.name);
  expect(known).toEqual([...new Set(names)].filter((name) => !isHelper(name)).sort());
});

/** For shell completion; hidden from users. */
const isHelper = (name: string): boolean => name.startsWith('__');

test('covers every kind of URL', () => {
  const kinds = [...met.keys()].map((path) =>
    path
      .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')
      .replace(/\/\d+(?=[/?#]|$)/g, '/N')
      .replace(/^\/emojis\/[^/]+$/, '/emojis/FILE')
      .replace(/(code|to)=[^&]*/g, '$1=…')
      .replace(/\?.*#/, '#'),
  );
  expect([...new Set(kinds.filter((path) => !isApi(path)))].sort()).toMatchInlineSnapshot(`
    [
      "/",
      "/-/sign-in?code=…&to=…",
      "/avatars/ID.svg",
      "/badges/ID.svg",
      "/emojis/FILE",
      "/emojis/local/own%2B1",
      "/fourth",
      "/local",
      "/local/demo",
      "/local/demo/builds/N",
      "/local/demo/builds/N#ID",
      "/local/demo/builds/N#annotation-ID",
      "/local/demo/builds/N/jobs/ID",
      "/local/extra",
      "/local/extra/builds/N",
      "/local/extra/builds/N#ID",
      "/local/one",
      "/local/other",
      "/organizations/local/agents/ID",
      "/third",
      "/webhooks/local/ID",
    ]
  `);
});

test('a page asks a signed-out visitor to sign in', async () => {
  const failed = await wrong(pages(), stranger, async (response) => {
    const isAsking = (await response.clone().text()).includes('cictl local open');
    return response.status === 401 && typeOf(response).startsWith('text/html') && isAsking;
  });
  expect(failed).toEqual([]);
});

test('a page opens when signed in', async () => {
  const isPage = (response: Response): boolean =>
    response.status === 200 && typeOf(response).startsWith('text/html');
  expect(await wrong(pages(), look, isPage)).toEqual([]);
});

test('each URL fragment is on its page', async () => {
  const named = pages().filter((path) => path.includes('#'));
  expect(named.length).toBeGreaterThan(0);
  const isThere = async (response: Response, path: string): Promise<boolean> => {
    const id = decodeURIComponent(path.replace(/^[^#]*#/, ''));
    return (await response.clone().text()).includes(`id="${id}"`);
  };
  expect(await wrong(named, look, isThere)).toEqual([]);
});

test('each link leads to a page, a place on it or a file', async () => {
  const { seen, broken } = await crawlPages(scene.url, look);
  expect(broken).toEqual([]);
  // Every page can be reached from the first one.
  const reached = new Set([...seen].map((path) => path.replace(/[#?].*/, '')));
  const known = pages().map((path) => path.replace(/[#?].*/, ''));
  expect(known.filter((path) => !reached.has(path) && !isAlone(path))).toEqual([]);
});

test('images open without signing in', async () => {
  const paths = [...met.keys()].filter(isPicture);
  const isImage = (response: Response): boolean =>
    response.status === 200 && typeOf(response).startsWith('image/');
  expect(await wrong(paths, stranger, isImage)).toEqual([]);
});

test('an API URL asks a browser for a token, signed in or not', async () => {
  const paths = [...met.keys()].filter((path) => isApi(path) && !isFile(path));
  const isAsking = (response: Response): boolean =>
    response.status === 401 && typeOf(response).startsWith('application/json');
  expect(await wrong(paths, stranger, isAsking)).toEqual([]);
  expect(await wrong(paths, look, isAsking)).toEqual([]);
});

test('an API URL opens with a token, a page does not', async () => {
  const paths = [...met.keys()].filter((path) => isApi(path));
  const isRight = ({ status }: Response, path: string): boolean =>
    status === (unwritten.has(path) ? 404 : path.endsWith('/download') ? 302 : 200);
  expect(await wrong(paths, withToken, isRight)).toEqual([]);
  expect(await wrong(pages(), withToken, ({ status }) => status === 401)).toEqual([]);
});

test("an artifact's file opens without one, and from its page", async () => {
  const files = [...met.keys()].filter((path) => path.endsWith('/download'));
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) {
    const file = (await withToken(path)).headers.get('location') ?? '';
    expect(await (await fetch(file)).text()).toBe('x\n');
    const page = path
      .replace('/v2/organizations/', '/')
      .replace('/pipelines/', '/')
      .replace(/\/download$/, '');
    const opened = await look(page);
    expect([opened.status, scene.url + (opened.headers.get('location') ?? '')]).toEqual([
      303,
      file,
    ]);
  }
});

test('each sign-in URL works once', async () => {
  const paths = [...met.keys()].filter(isSignIn);
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) await (await stranger(path)).body?.cancel();
  expect(await wrong(paths, stranger, ({ status }) => status === 401)).toEqual([]);
});
