import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { tickingClock } from './ticking-clock.ts';

let service: Counterpart;
let pipeline: string;
let builds = 0;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner(), clock: tickingClock() });
  pipeline = await service.pipeline('p', 'steps: [block]');
});

afterAll(() => service.close());

/** The path of a new build's annotations. */
async function path(): Promise<string> {
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  return `${pipeline}/builds/${++builds}/annotations`;
}

test('fills in defaults', async () => {
  const reply = await service.post(await path(), { body: 'x' });
  expect(reply.status).toBe(201);
  expect(reply.json).toMatchObject({
    context: 'default',
    style: 'info',
    priority: 3,
    body_html: '<p>x</p>',
  });
  expect(reply.json['created_at']).toBe(reply.json['updated_at']);
});

test('the same context replaces, and keeps id and creation time', async () => {
  const annotations = await path();
  const first = await service.post(annotations, { body: 'a', style: 'error', priority: 9 });
  const second = await service.post(annotations, { body: 'b' });
  expect(second.json).toMatchObject({
    id: first.json.id,
    created_at: first.json['created_at'],
    body_html: '<p>b</p>',
    style: 'info',
    priority: 3,
  });
  expect(second.json['updated_at']).not.toBe(first.json['updated_at']);
  expect((await service.get(annotations)).list).toHaveLength(1);
});

test('append joins the sources before rendering', async () => {
  const annotations = await path();
  await service.post(annotations, { body: '- a', style: 'warning', context: 'c', append: true });
  const { json } = await service.post(annotations, { body: '- b', context: 'c', append: '1' });
  expect(json).toMatchObject({ style: 'warning' });
  expect(json.body_html.replaceAll('\n', '')).toBe('<ul><li>a</li><li>b</li></ul>');
});

test('sorts by priority, then by age', async () => {
  const annotations = await path();
  for (const [context, priority] of [
    ['a', 3],
    ['b', 10],
    ['c', 1],
    ['d', 3],
  ])
    await service.post(annotations, { body: 'x', context, priority });
  const { list } = await service.get(annotations);
  expect(list.map((one) => one['context'])).toEqual(['b', 'a', 'd', 'c']);
  const second = await service.get(`${annotations}?per_page=2&page=2`);
  expect(second.list.map((one) => one['context'])).toEqual(['d', 'c']);
});

test.each<[object, object]>([
  [{}, { field: 'body', code: 'missing' }],
  [{ body: '' }, { field: 'body', code: 'missing' }],
  [{ body: 7 }, { field: 'body', code: 'invalid' }],
  [
    { body: 'x', style: 'loud' },
    { field: 'style', code: 'invalid' },
  ],
  [
    { body: 'x', priority: 0 },
    { field: 'priority', code: 'invalid' },
  ],
  [
    { body: 'x', priority: 11 },
    { field: 'priority', code: 'invalid' },
  ],
  [
    { body: 'x', priority: 1.5 },
    { field: 'priority', code: 'invalid' },
  ],
  [
    { body: 'x', priority: '3' },
    { field: 'priority', code: 'invalid' },
  ],
  [
    { body: 'x', append: 'banana' },
    { field: 'append', code: 'invalid' },
  ],
  [{ body: 'x\0y' }, { field: 'body', code: 'invalid' }],
  [
    { body: 'x', context: 'a\0' },
    { field: 'context', code: 'invalid' },
  ],
  [
    { body: 'x', context: 'c'.repeat(101) },
    { field: 'context', code: 'too_long' },
  ],
])('rejects %j', async (body, error) => {
  const reply = await service.post(await path(), body);
  expect(reply.status).toBe(422);
  expect(reply.json).toMatchObject({ message: 'Validation Failed', errors: [error] });
});

test.each([
  [1024 * 1024, 201],
  [1024 * 1024 + 1, 400],
])('a body of %i bytes returns %i', async (bytes, status) => {
  const reply = await service.post(await path(), { body: 'x'.repeat(bytes) });
  expect(reply.status).toBe(status);
  if (status === 400) expect(reply.json.message).toBe('The annotation body must be less than 1 MB');
});

test('appended text counts together with existing text', async () => {
  const annotations = await path();
  await service.post(annotations, { body: 'x'.repeat(1024 * 1024) });
  const reply = await service.post(annotations, { body: 'y', append: true });
  expect(reply.status).toBe(400);
});

test.each([
  ['**b** ~~d~~', '<p><strong>b</strong> <del>d</del></p>'],
  ['`<b>`', '<p><code>&lt;b&gt;</code></p>'],
  ['<b>html</b>', '<p><b>html</b></p>'],
  ['https://x.example', '<p><a href="https://x.example">https://x.example</a></p>'],
  ['[l](/relative)', '<p><a href="/relative">l</a></p>'],
  ['[l](mailto:a@b)', '<p><a href="mailto:a@b">l</a></p>'],
  ['[l](javascript:alert(1))', '<p><a>l</a></p>'],
  ['<a href="jAvascript:alert(1)">l</a>', '<p><a>l</a></p>'],
  ['<a href="data:text/html,x">l</a>', '<p><a>l</a></p>'],
  ['<a href="vbscript:x" onclick="x">l</a>', '<p><a>l</a></p>'],
  ['<script>alert(1)</script>', ''],
  ['<style>p{}</style>', ''],
  ['<p style="color:red" onmouseover="x">p</p>', '<p>p</p>'],
  ['<iframe src="https://x"></iframe>', ''],
  ['<img src="x" onerror="alert(1)">', '<img src="x" />'],
  ['<form action="/x"><button>b</button></form>', 'b'],
  ['<svg><script>1</script></svg>', '<p></p>'],
])('renders %s', async (body, html) => {
  const { json } = await service.post(await path(), { body });
  expect(json.body_html.trim()).toBe(html);
});

test('renders tables and task lists', async () => {
  const { json } = await service.post(await path(), { body: '| a |\n|---|\n| b |\n\n- [x] done' });
  expect(json.body_html).toContain('<td>b</td>');
  expect(json.body_html).toContain('<input type="checkbox" disabled checked /> done');
});

test.each([
  ['emphasis', '*a_ '.repeat(200_000)],
  ['strikethrough', '~~a'.repeat(100_000)],
  ['quotes in quotes', '> '.repeat(100_000)],
  ['footnotes', '[^a]'.repeat(100_000)],
  ['headings', '# a\n'.repeat(100_000)],
])('shows Markdown that would take minutes as text: %s', async (_, body) => {
  const reply = await service.post(await path(), { body: `<b>${body}` });
  expect(reply.status).toBe(201);
  expect(reply.json['body_html']).toMatch(/^<pre>&lt;b&gt;/);
});

test('renders a report of a thousand rows as Markdown', async () => {
  const body = `|a|b|\n|-|-|\n${'| **x** | [y](z) |\n'.repeat(500)}\n\n${'- *one* `two`\n\n'.repeat(1000)}`;
  const reply = await service.post(await path(), { body });
  expect(reply.json['body_html']).toContain('<td><strong>x</strong></td>');
});
