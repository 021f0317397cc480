import { expect, test } from 'vitest';
import { withEmojis } from './with-emojis.ts';

const rocket = '<span title=":rocket:">🚀</span>';

test.each([
  ['<p>:rocket: Release</p>', `<p>${rocket} Release</p>`],
  ['<p>a (:rocket:) <b>:rocket:</b></p>', `<p>a (${rocket}) <b>${rocket}</b></p>`],
  [
    '<a href="https://x.example/?:rocket:">:rocket:</a>',
    `<a href="https://x.example/?:rocket:">${rocket}</a>`,
  ],
  ['<p>é :rocket:é</p>', `<p>é ${rocket}é</p>`],
])('%s is %s', (html, expected) => expect(withEmojis(html)).toBe(expected));

test.each([
  '<code>:rocket:</code>',
  '<pre><b>x</b> :rocket:</pre>',
  '<p><code>a <i>b</i> :rocket:</code></p>',
  '<kbd>:rocket:</kbd><samp> :rocket:</samp>',
  '<img src="/x" alt=":rocket:" />',
  '<p>12:rocket:30 x:rocket: :rocket:: :no-such-thing: &amp;:rocket:</p>',
])('%s stays', (html) => expect(withEmojis(html)).toBe(html));

test('what follows code has them again', () => {
  expect(withEmojis('<code>:rocket:</code> :rocket:')).toBe(`<code>:rocket:</code> ${rocket}`);
});
