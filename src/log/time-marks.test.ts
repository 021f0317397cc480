import { expect, test } from 'vitest';
import { feed } from '../../test/log/split.ts';
import { createLogPipeline } from './log-pipeline.ts';

const mark = (body: string): string => `\x1b_bk;${body}\x07`;
const stamped = async (log: string): Promise<string> =>
  feed(await createLogPipeline({ format: 'text', timestamps: 'utc' }), log);

const latest = 8_640_000_000_000_000;
const day = '+275760-09-13T00:00:00.000Z';

test('the last representable instant is a time', async () => {
  expect(await stamped(`${mark(`t=${latest}`)}a\n`)).toBe(`${day} a\n`);
  expect(await stamped(`a${mark(`t=${latest}`)}b\n`)).toBe(`${day} ab\n`);
  expect(await stamped(`${mark(`t=${latest - 1}`)}a\n${mark('dt=1')}b\n`)).toMatch(`${day} b\n`);
});

test('a later instant is not a time, and the line keeps its text', async () => {
  expect(await stamped(`${mark(`t=${latest + 1}`)}a\n`)).toBe(' a\n');
  expect(await stamped(`a${mark(`t=${latest + 1}`)}b\n`)).toBe(' ab\n');
  const blank = ' '.repeat(day.length);
  expect(await stamped(`${mark(`t=${latest}`)}a\n${mark('dt=1')}b\n`)).toBe(
    `${day} a\n${blank} b\n`,
  );
});

test('an offset counts even if the timestamp before it is invalid', async () => {
  for (const none of [`t=${latest + 1}`, 't=123456789012345678', 't=x'])
    expect(await stamped(`${mark('t=1000')}a\n${mark(`${none};dt=5`)}b\n`)).toBe(
      '1970-01-01T00:00:01.000Z a\n1970-01-01T00:00:01.005Z b\n',
    );
});

test('an offset without a base is not a time', async () => {
  expect(await stamped(`${mark('dt=5')}a\n`)).toBe(' a\n');
  expect(await stamped(`${mark('x=5')}a\n${mark('t=0')}b\n`)).toBe(
    ' a\n1970-01-01T00:00:00.000Z b\n',
  );
});

test('a timestamp at the very end belongs to no line', async () => {
  expect(await stamped(`${mark('t=0')}a\n${mark('t=1000')}`)).toBe('1970-01-01T00:00:00.000Z a\n');
  expect(await stamped(`${mark('t=0')}a\n${mark('t=1000')}\n`)).toBe(
    '1970-01-01T00:00:00.000Z a\n1970-01-01T00:00:01.000Z \n',
  );
});

test('a line in several chunks has its time once', async () => {
  const long = 'x'.repeat(600 * 1024);
  expect(await stamped(`${mark('t=0')}${long}\n${mark('t=1000')}b\n`)).toBe(
    `1970-01-01T00:00:00.000Z ${long}\n1970-01-01T00:00:01.000Z b\n`,
  );
});
