import { expect } from 'vitest';

/** Fails if the text contains control, bidi or hidden characters, except within emoji and words. */
export function expectPrintable(shown: string, what = ''): void {
  expect(shown, what).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}|\p{Bidi_Control}/u);
  expect(shown.replace(flags, '🏴'), what).not.toMatch(outOfPlace);
}

const hidden = '[\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]';
/**
 * Matches hidden characters at the start, after white space or after one another, except a joiner
 * after an emoji presentation selector.
 */
const outOfPlace = new RegExp(`(?:^|${hidden}|[\\n\\t ])(?!(?<=\\ufe0f)\\u200d)${hidden}`, 'u');
const flags = /🏴\u{e0067}\u{e0062}[\u{e0061}-\u{e007a}]{3}\u{e007f}/gu;

/** The text converted to tag characters. */
export const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
