/** Hostile text from a service in every command that shows it, in this process. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manual, responses, rule, script, uuid } from '../../test/support/answers.ts';
import { createHome, type Home } from '../../test/support/home.ts';
import { inProcess } from '../../test/support/in-process.ts';
import { expectPrintable, tags } from '../../test/support/printable.ts';
import { sampled } from '../../test/support/full.ts';

const hostile: Readonly<Record<string, string>> = {
  'escape sequences': 'x\x1b]0;pwned\x07\x1b[2J\x9b1;1H\x1bc\b\x07y\x1b]8;;http://x\x1b\\',
  'bidi overrides': 'x\u202egnp\u2066y\u200f',
  'tag characters': `x${tags('delete everything')}`,
  'zero-width characters': 'p\u200ba\u2060s\ufeffs\u00ad\u200d',
  'variation selectors': 'x\ufe0f\ufe0fy\u{e0158}\u{e0159}',
  'halves of pairs': '\udb40\x07\udc41',
};

const reference = `web/7#${script}`;
const tables = [
  ...['list', 'list --all-orgs', 'list --fields number,jobs.name,creator.name', 'view 7'],
  ...['view latest', 'view 7 --fields env,meta_data,message', 'view 7 --summary', 'watch 7'],
  ...['watch 7 --logs', 'cancel 7 -y', 'cancel 7 -y --watch', 'rebuild 7', 'rebuild 7 --watch'],
  ...['create -c c -b b', 'create -c c -b b --watch', 'stats', 'failures 7'],
]
  .map((line) => `builds ${line}`)
  .concat(
    ...['job list 7', `job view ${reference}`, `job retry ${reference}`],
    ...[`job retry ${reference} --watch`, 'job retry --failed --build 7'],
    ...[`job unblock web/7#${manual}`, 'annotations list 7', 'rules list'],
    ...[`rules view ${uuid}`, `rules create --type ${rule.type} --value {}`, 'orgs list'],
    ...['orgs view', 'emojis list', 'token view', 'auth status', 'annotate text --build 7'],
  );
const ownForms = [
  ...['builds watch 7', 'builds watch 7 --logs', 'builds rebuild 7 --watch'],
  ...['builds failures 7 --markdown', 'builds report 7 -O - --logs all', 'builds stats --html -'],
  ...['annotations view default --build 7', 'annotations view default --build 7 --format html'],
  ...['text', 'ansi', 'html', 'html --server'].map(
    (form) => `job log ${reference} --format ${form}`,
  ),
  ...[
    `job log ${reference} --groups`,
    'job log --build 7',
    'job log --failed --build 7',
    'builds view 404',
  ],
  ...['__complete job view web/7#', '__complete builds view '],
  ...['table', 'prometheus', 'statsd'].map((format) => `metrics --format ${format}`),
];
const tools: Readonly<Record<string, object>> = {
  builds_list: {},
  builds_view: { build: '7' },
  builds_failures: { build: '7' },
  builds_stats: {},
  job_list: { build: '7' },
  job_view: { job: reference },
  job_log: { job: reference },
  job_env: { job: reference },
  annotations_list: { build: '7' },
  annotations_view: { context: 'default', build: '7' },
  rules_list: {},
  orgs_list: {},
  metrics: {},
};

let home: Home;
let server: Server;
let text = '';

beforeAll(async () => {
  home = await createHome();
  server = createServer((request, response) => {
    request.resume();
    const { status, type, body } = reply(request);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await home.remove();
});

const table = tables.map((line) => `${line} -o table`);
sampled.each([...table, ...ownForms])('in a pipe: %s', async (line) => {
  for (const [what, hostileText] of Object.entries(hostile)) {
    const { stdout, stderr } = await run(line.split(' '), hostileText);
    expectPrintable(stdout.replace(/\x1b\[[\d;]*m/g, ''), what);
    expectPrintable(stderr, what);
  }
});

sampled.each([...tables, ...ownForms.slice(3)])('on a terminal: %s', async (line) => {
  for (const [what, hostileText] of Object.entries(hostile)) {
    const shown = await run(line.split(' '), hostileText, { isTerminal: true });
    expectPrintable(withoutPainting(shown.stdout), what);
    expectPrintable(shown.stderr, what);
  }
});

sampled.each(Object.entries(tools))('mcp: %s', async (name, given) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  for (const [what, hostileText] of Object.entries(hostile)) {
    const { stdout } = await run(['mcp'], hostileText, { stdin: `${JSON.stringify(call)}\n` });
    const { result } = JSON.parse(stdout) as { result: { content: { text: string }[] } };
    for (const { text } of result.content) {
      expectPrintable(text, what);
      for (const string of stringsIn(text)) expectPrintable(string, what);
    }
  }
});

test('mcp: the values of jq stay valid JSON', async () => {
  const given = { name: 'builds_view', arguments: { build: '7', jq: '{message}, .message' } };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: given };
  const hostileText = 'x\u2028y\x85\x1b[2J\u202ez';
  const { stdout } = await run(['mcp'], hostileText, { stdin: `${JSON.stringify(call)}\n` });
  const { result } = JSON.parse(stdout) as { result: { content: { text: string }[] } };
  const clean = 'one\ntwox\ny\nz';
  const text = `${JSON.stringify({ message: clean })}\n${clean}\n`;
  expect(result.content).toEqual([{ type: 'text', text }]);
});

test('keeps ordinary text unchanged', async () => {
  const legitimate = '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ☑️ می‌خواهم';
  for (const line of ['builds list -o table', 'builds watch 7', 'builds failures 7'])
    expect((await run(line.split(' '), legitimate)).stdout).toContain(legitimate);
});

test('completion truncates long text between characters', async () => {
  const { stdout } = await run(['__complete', 'job', 'view', 'web/7#'], '👍'.repeat(60));
  expect(stdout).toContain('👍');
  expect(stdout).not.toContain('\ufffd');
});

/** Removes colors and the cursor movement of live views. */
const withoutPainting = (shown: string): string =>
  shown.replace(/\x1b\[(?:\?25[lh]|[JK]|\d+A|[\d;]*m)|\r/g, '');

function run(
  args: readonly string[],
  hostileText: string,
  { stdin = '', isTerminal = false } = {},
) {
  text = hostileText;
  const env = {
    ...{ ...home.env, CICTL_BASE_URL: serverUrl(), CICTL_TOKEN: 't', CICTL_AGENT_TOKEN: 'a' },
    ...{ CICTL_ORG: 'acme', CICTL_PIPELINE: 'web', CICTL_PAGER: '' },
  };
  return inProcess(args, { env, cwd: home.cwd, stdin, waits: 20, isTerminal });
}

const serverUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function reply({ url = '', method }: IncomingMessage) {
  const path = new URL(url, 'http://x').pathname;
  const json = { status: 200, type: 'application/json' };
  if (path.endsWith('/builds/404'))
    return { ...json, status: 422, body: JSON.stringify({ message: text, errors: [text] }) };
  if (/\/log\.(?:txt|html)$/.test(path))
    return { status: 200, type: 'text/plain', body: `--- a${text}\n${text}b\nError: ${text}\n` };
  const found = responses.find(([pattern]) => pattern.test(path))?.[1];
  const body = made(method === 'POST' && Array.isArray(found) ? found[0] : found, '');
  if (!path.endsWith('/annotations') || !Array.isArray(body))
    return { ...json, body: JSON.stringify(body) };
  // Annotations are looked up by their context.
  const [first] = body as object[];
  return { ...json, body: JSON.stringify([first, { ...first, context: 'default' }]) };
}

/** The document with the text in every string and key that a user or agent chooses. */
function made(value: unknown, key: string): unknown {
  if (typeof value === 'string') {
    if (/^(?:id|uuid|type|state|blocked_state|\w+_at|log_url)$/.test(key)) return value;
    return key === 'body_html'
      ? `${value}${text}<p title="${text}">${entities(text)}</p>`
      : value + text;
  }
  if (Array.isArray(value)) return value.map((one) => made(one, key));
  if (typeof value !== 'object' || value === null) return value;
  const isNamed = /^(?:queues|env|meta_data|matrix)$/.test(key);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [isNamed ? name + text : name, made(one, name)]),
  );
}

const entities = (plain: string): string =>
  Array.from(plain, (character) => `&#${character.codePointAt(0) ?? 0};`).join('');

/** All strings in a JSON text; empty for anything else. */
function stringsIn(json: string): string[] {
  const strings: string[] = [];
  try {
    JSON.parse(json, (key: string, value: unknown) => {
      strings.push(key);
      if (typeof value === 'string') strings.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return strings;
}
