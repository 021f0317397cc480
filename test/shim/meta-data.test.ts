/** `buildkite-agent meta-data` in jobs of the built-in service. */
import { expect, test } from 'vitest';
import { runJob } from './jobs.ts';

test('sets, reads, lists and checks values', async () => {
  const { file, exitCode } = await runJob(`
    buildkite-agent meta-data set color "deep blue"
    echo "from input" | buildkite-agent meta-data set other
    buildkite-agent meta-data set-batch "a=1 = 2" b=x
    buildkite-agent meta-data get color > color
    buildkite-agent meta-data get other > other
    buildkite-agent meta-data get a > a
    buildkite-agent meta-data keys > keys
    buildkite-agent meta-data get none --default "as given" > default
    buildkite-agent meta-data get --default= none > empty
    buildkite-agent meta-data exists color; echo $? > codes
    buildkite-agent meta-data exists none; echo $? >> codes
  `);
  expect(exitCode).toBe(0);
  expect(await file('color')).toBe('deep blue');
  expect(await file('other')).toBe('from input\n');
  expect(await file('a')).toBe('1 = 2');
  expect(await file('keys')).toBe('a\nb\ncolor\nother\n');
  expect(await file('default')).toBe('as given');
  expect(await file('empty')).toBe('');
  expect(await file('codes')).toBe('0\n100\n');
});

test.each([
  ['get none', 'failed to get meta-data: No meta-data with the key "none" found'],
  ['set k ""', 'value cannot be empty, or composed of only whitespace characters'],
  ['set k < /dev/null', 'value cannot be empty, or composed of only whitespace characters'],
  ['set-batch k', 'invalid argument "k": it must be key=value'],
  ['set-batch a=b k=', 'value cannot be empty, or composed of only whitespace characters'],
])('`%s` fails: %s', async (words, message) => {
  const { file, log } = await runJob(
    `buildkite-agent meta-data ${words} > out; echo $? > code; buildkite-agent meta-data keys > keys`,
  );
  expect(await file('code')).toBe('1\n');
  expect(log).toContain(`buildkite-agent: fatal: ${message}`);
  expect(await file('out')).toBe('');
  expect(await file('keys')).toBe('');
});

test.each([['get'], ['set'], ['set ""'], ['exists']])('`%s` requires a key', async (words) => {
  const { file, log } = await runJob(`buildkite-agent meta-data ${words}; echo $? > code`);
  expect(await file('code')).toBe('1\n');
  const verb = words.split(' ')[0] ?? '';
  expect(log).toContain(`Missing meta-data key. See: \`buildkite-agent meta-data ${verb} --help\``);
});

test('does not set the value of a secret variable', async () => {
  const { file } = await runJob(`
    export MY_TOKEN=not-for-others
    buildkite-agent meta-data set k "it is $MY_TOKEN!" 
    buildkite-agent meta-data get k > out
  `);
  expect(await file('out')).toBe('it is [REDACTED]!');
});
