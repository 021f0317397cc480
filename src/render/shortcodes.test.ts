import { expect, test } from 'vitest';
import { emojisFor, withShortcodes } from './shortcodes.ts';

test.each([
  [':rocket: Deploy', '🚀 Deploy'],
  ['Deploy (:rocket:)', 'Deploy (🚀)'],
  [':white_check_mark::+1:', '✅👍'],
  [':100:', '💯'],
  [':wave::skin-tone-4:', '👋🏽'],
  [':docker: Image', 'docker Image'],
  [':docker::rocket:', 'docker🚀'],
  [':docker: :node: Test', 'docker node Test'],
  ['at 12:30:45 :tada:', 'at 12:30:45 🎉'],
  [':30: and a:b:c and std::string::npos:', ':30: and a:b:c and std::string::npos:'],
  [':heart:', '❤️'],
])('%j is shown as %j', async (text, shown) => {
  expect((await emojisFor([text]))(text)).toBe(shown);
});

test.each(['plain', '12:30', 'a:b:c', 'https://x.example:80/a:b'])(
  'nothing is loaded for %j',
  async (text) => {
    expect(await emojisFor([text])).toBe(withShortcodes);
  },
);
