import type { Stage } from './stage.ts';

/**
 * JSON text in which what a terminal could obey, or nobody sees, stands as `\uXXXX`: DEL, the C1
 * controls, marks of direction and the line separators of Unicode. They are found in strings alone,
 * where the escape is the same value. So are control characters below the space, which no JSON
 * holds as they are.
 */
export function escapeJsonBytes(): Stage<Uint8Array> {
  /** The beginning of a character whose rest is in the next chunk. */
  let torn = '';
  return {
    push(chunk) {
      const bytes = torn + Buffer.from(chunk).toString('latin1');
      const end = bytes.length - (beginning.exec(bytes)?.[0].length ?? 0);
      torn = bytes.slice(end);
      return escape(bytes.slice(0, end));
    },
    end: () => torn,
  };
}

/** In UTF-8: C2 80 to C2 9F; D8 9C; E2 80 8E, 8F, A8 to AE; E2 81 A6 to A9. */
const unwanted =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2(?:\x80[\x8e\x8f\xa8-\xae]|\x81[\xa6-\xa9])/g;
const beginning = /(?:[\xc2\xd8]|\xe2[\x80\x81]?)$/;

const escape = (bytes: string): string => bytes.replace(unwanted, escapeOne);

function escapeOne(bytes: string): string {
  const code = Buffer.from(bytes, 'latin1').toString().charCodeAt(0);
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
