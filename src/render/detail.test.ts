import { expect, test } from 'vitest';
import { prose, resource, text } from '../api/resources/resource.ts';
import { plain } from './colors.ts';
import { drawDetail } from './detail.ts';
import { noon, thing, things } from '../../test/support/units/output-context.ts';

const options = { colors: plain, now: noon, width: 80 };
const [first = {}, second = {}] = things;

test('shows all members, with embedded lists as tables below', () => {
  expect(drawDetail(thing, first, options)).toBe(`\
id          0190a4e2-0000-4000-8000-000000000001
number      12
state       ■ blocked
blocked     true
message     Add 日本語 and 🫠 faces
            with a body
tags        a, b
created_at  2026-11-20T11:55:00Z (5m ago)
web_url     https://ci.example/things/12

parts
NAME     STATE
lint     ✓ passed
Deploy?  ! failed (soft)
`);
});

test('omits missing members and control characters', () => {
  expect(drawDetail(thing, second, options)).toBe(`\
id          0190a4e2-0000-4000-8000-000000000002
number      7
state       ? hibernating
message     tab\there \\ red
created_at  2013-09-03T13:24:38Z (2013-09-03)
`);
});

test('shows only the selected members, missing or not', () => {
  const paths = ['env', 'extra.deep', 'tags', 'owner.name', 'parts.name'];
  expect(drawDetail(thing, first, { ...options, paths })).toBe(`\
env         A=1
            B=two words
extra.deep  {"er":5}
tags        a, b
owner.name  Ada
parts.name  lint,
`);
  expect(drawDetail(thing, second, { ...options, paths: ['web_url', 'number'] })).toBe(
    'web_url\nnumber   7\n',
  );
});

test('at 40 columns, wraps values below their names and splits times', () => {
  expect(drawDetail(thing, first, { ...options, width: 40, short: true })).toBe(`\
id
  0190a4e2-0000-4000-8000-000000000001
number      12
state       ■ blocked
blocked     true
message     Add 日本語 and 🫠 faces
            with a body
tags        a, b
created_at  2026-11-20T11:55:00Z
            (5m ago)
web_url     https://ci.example/things/12
`);
});

test('is short on request', () => {
  expect(drawDetail(thing, first, { ...options, short: true })).not.toContain('parts');
});

test('wraps a long text under itself, with its shortcodes as emojis', () => {
  const note = resource({
    name: 'note',
    plural: 'notes',
    members: { id: text(), message: prose(), path: text() },
    columns: [],
  });
  const element = {
    id: 'a',
    message: ':tada: one two three four five\n- item',
    path: '/a/path/that/is/wider/than/the/screen',
  };
  const emojis = (written: string): string => written.replace(':tada:', '🎉');
  expect(drawDetail(note, element, { ...options, width: 32, emojis })).toBe(`\
id       a
message  🎉 one two three four
         five
         - item
path
  /a/path/that/is/wider/than/the/screen
`);
});
