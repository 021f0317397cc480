import emojis from 'emojibase-data/en/compact.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { urlsOf } from '../urls.ts';
import { standardEmoji, standardEmojis } from './standard-emojis.ts';

/** Without variation selectors: some emojis need one, others do not. */
const bare = (text: string | undefined): string | undefined => text?.replaceAll('\ufe0f', '');
const unicode = new Map(emojis.map((emoji) => [emoji.hexcode.toLowerCase(), bare(emoji.unicode)]));
const listed = standardEmojis(urlsOf('http://x'));

test('the URL of each standard emoji contains its code points', () => {
  expect(listed.length).toBeGreaterThan(1800);
  const wrong = listed.filter(({ url }) => {
    const hexcode = /^http:\/\/x\/emojis\/([0-9a-f-]+)\.svg$/.exec(url)?.[1] ?? '';
    return bare(standardEmoji(hexcode)) !== unicode.get(hexcode);
  });
  expect(wrong).toEqual([]);
});

test.each([
  ['2764', '❤️'],
  ['1f389', '🎉'],
  ['1f575-fe0f-200d-2640-fe0f', '🕵️‍♀️'],
  ['0031-fe0f-20e3', '1️⃣'],
])('%s has an image', (hexcode, characters) => {
  expect(standardEmoji(hexcode)).toBe(characters);
});

test.each(['', 'zz', '41', '1F389-', '__proto__', 'constructor'])(
  '%j is not an emoji',
  (hexcode) => {
    expect(standardEmoji(hexcode)).toBeUndefined();
  },
);
