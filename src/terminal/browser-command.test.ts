import { expect, test } from 'vitest';
import { browserCommand } from './browser-command.ts';

test.each([
  ['firefox', ['firefox', 'URL']],
  ['firefox --new-window', ['firefox', '--new-window', 'URL']],
  ['  w3m  ', ['w3m', 'URL']],
  ['open -a "Google Chrome"', ['open', '-a', 'Google Chrome', 'URL']],
  ["'/opt/my browser/run' -x", ['/opt/my browser/run', '-x', 'URL']],
  ['lynx -accept_all_cookies=%s -x', ['lynx', '-accept_all_cookies=URL', '-x']],
  [`"${process.execPath}"`, [process.execPath, 'URL']],
  ["it's", ["it's", 'URL']],
])('BROWSER=%s starts %j', (text, words) => {
  expect(browserCommand(text, 'URL')).toEqual(words);
});

test('the address is no pattern of what is put in', () => {
  expect(browserCommand('x %s', "https://a/?b=$&$'c%s")).toEqual(['x', "https://a/?b=$&$'c%s"]);
});
