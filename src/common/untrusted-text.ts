/** Removes escape sequences, bidi controls and invisible characters from untrusted text. */

// Matches CSI sequences, strings (OSC, DCS, APC, PM, SOS) and other escapes. Strings end with the
// line and have a maximum length, so that many unterminated strings still take linear time.
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]P_^X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,512}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const breaks = /[\t\n\v\f\r\x85\u2028\u2029]+/g;
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// UTF-16 units of hidden characters, as ranges: compiling Unicode properties would take 4 ms.
const hiddenUnits =
  '\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
  '\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ud82f\\ud834\\udb40-\\udb43';
const mayBeHidden = new RegExp(`[${hiddenUnits}]`);
const suspicious = new RegExp(`[\\0-\\x08\\n-\\x1f\\x7f-\\x9f\\ud800-\\udfff${hiddenUnits}]`);

/** Matches the hidden characters as UTF-8 bytes in a Latin-1 string. */
export const hiddenBytes =
  /\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f])|\xe2(?:\x80[\x8b-\x8f\xa8-\xae]|\x81[\xa0-\xaf])|\xe3\x85\xa4|\xef(?:\xb8[\x80-\x8f]|\xbb\xbf|\xbe\xa0|\xbf[\xb0-\xbb])|\xf0(?:\x9b\xb2[\xa0-\xa3]|\x9d\x85[\xb3-\xba])|\xf3\xa0[\x80-\xbf][\x80-\xbf]/;

export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  // Replaces lone surrogates first: removing text between two of them would create a character.
  const printable = text
    .replace(halves, '\ufffd')
    .replace(/\r\n?|\x85|\u2028|\u2029/g, '\n')
    .replace(sequences, '')
    .replace(controls, '');
  return dropHidden(printable);
}

export const cleanLine = (text: string): string => cleanText(text).replace(breaks, ' ');

/** Drops invisible characters that neither an emoji nor the spelling of a script needs. */
export const dropHidden = (text: string): string =>
  mayBeHidden.test(text) ? text.replace(hidden(), '$1') : text;

/** Removes control characters, but not entire escape sequences, because these may span markup. */
export const cleanMarkup = (html: string): string => dropHidden(html.replace(controls, ''));

/** Escapes C1 controls and hidden characters in JSON as `\uXXXX`. */
export const escapeJson = (json: string): string => escaped(json, escapeUnits);

/** Like `escapeJson`, but one YAML escape represents a whole character instead of a UTF-16 unit. */
export const escapeYaml = (yaml: string): string =>
  escaped(yaml, (character) => {
    if (character.length === 1) return escapeUnits(character);
    return `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`;
  });

const escaped = (text: string, escape: (character: string) => string): string => {
  const printable = text.replace(/[\x7f-\x9f]/g, escape);
  if (!mayBeHidden.test(printable)) return printable;
  return printable.replace(hidden(), (character, flag?: string) => flag ?? escape(character));
};

export const escapeUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

let pattern: RegExp | undefined;

/** Matches hidden characters that have no effect. Captures flag emojis as `$1` to keep them. */
const hidden = (): RegExp =>
  (pattern ??= new RegExp(`(${tagFlag})|(?=${hiddenCharacter})(?!${inPlace.join('|')}).`, 'gsv'));

const hiddenCharacter = '[\\p{DI}\\ufff9-\\ufffb\\u2028\\u2029]';

/** The flags of England, Scotland and Wales: a black flag, tag characters and the end tag. */
const tagFlag = `\\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls']
  .map((region) =>
    Array.from(region, (letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join(''),
  )
  .join('|')})\\u{e007f}`;

/** Scripts in which a zero-width joiner changes the previous letter. */
const joiningScripts = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh'
  .split(' ')
  .map((script) => `\\p{sc=${script}}`)
  .join('');
const letterOrMark = '[[\\p{L}\\p{M}]--\\p{DI}]';

const inPlace = [
  // The zero-width non-joiner between letters, and the joiner after a letter that it changes.
  `(?<=${letterOrMark})\\u200c(?=[\\p{L}--\\p{DI}])`,
  `(?<=[[${joiningScripts}]&&${letterOrMark}])\\u200d`,
  // Emoji sequences, emoji and text presentation, keycaps.
  '(?<=\\p{ExtPict}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Variants of Chinese characters and Mongolian letters.
  '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\p{sc=Mong}--\\p{DI}])[\\u180b-\\u180f]',
];
