/**
 * Text that came from a service or a log is untrusted. These functions take away what could move
 * the cursor, retitle the window, fill the clipboard or turn the reading direction of a terminal.
 * What remains is printable text.
 */

// CSI; then strings (OSC, DCS, APC, PM, SOS) up to their end; then other escapes. Strings are
// bounded, so that text full of unterminated ones is still read in linear time.
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]P_^X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]{0,512}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const breaks = /[\t\n\v\f\r\x85\u2028\u2029]+/g;
// Half a surrogate pair reaches the terminal as U+FFFD, which takes a column that is to be counted.
const halves = /\p{Surrogate}/gu;
const suspicious = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Printable text of several lines: newlines and tabs stay, CRLF becomes a newline. */
export function cleanText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(/\r\n?|\x85|\u2028|\u2029/g, '\n')
    .replace(sequences, '')
    .replace(controls, '')
    .replace(bidi, '')
    .replace(halves, '\ufffd');
}

/** Printable text of one line: each run of breaks and tabs becomes a space. */
export function cleanLine(text: string): string {
  return suspicious.test(text) ? cleanText(text).replace(breaks, ' ') : text;
}

/** JSON text with the same meaning in which such characters stand as `\uXXXX`. */
export const escapeJson = (json: string): string =>
  json.replace(/[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeUnit);

const escapeUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
