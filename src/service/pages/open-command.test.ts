import { expect, test } from 'vitest';
import { openCommand } from './open-command.ts';

test.each([
  ['/', 'cictl local open'],
  ['/local/web/builds/7#0190', 'cictl local open http://127.0.0.1:8090/local/web/builds/7#0190'],
  ['/local?state=failed&q=a', "cictl local open 'http://127.0.0.1:8090/local?state=failed&q=a'"],
  ['/$(id)', "cictl local open 'http://127.0.0.1:8090/$(id)'"],
  ["/';id;'", "cictl local open 'http://127.0.0.1:8090/%27;id;%27'"],
])('for %s it is %s', (path, command) => {
  expect(openCommand(new URL(path, 'http://127.0.0.1:8090'))).toBe(command);
});
