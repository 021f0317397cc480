/**
 * `header_times` of a log's JSON object, read as it arrives: the log beside them may be larger than
 * memory, and they are integers that no JavaScript number holds.
 *
 * Throws nothing: of an object that is not as expected there are no times.
 */
export async function readHeaderTimes(json: AsyncIterable<Uint8Array>): Promise<bigint[]> {
  const outline = outlineOf();
  for await (const chunk of json) outline.push(Buffer.from(chunk).toString('latin1'));
  const list = /"header_times":\[([^\]]*)\]/.exec(outline.text())?.[1] ?? '';
  return list.split(',').filter(isInteger).map(BigInt);
}

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** Longer strings are left out: no name of a member is. */
const longestString = 64;

/** A JSON text without blanks, and without its long strings. */
function outlineOf(): { push: (text: string) => void; text: () => string } {
  let outline = '';
  let inString = false;
  /** The string that we are in, as far as it is kept. */
  let string = '';
  let escaped = false;

  return {
    push(text) {
      for (let at = 0; at < text.length;) at = inString ? inside(text, at) : outside(text, at);
    },
    text: () => outline,
  };

  function outside(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    outline += text.slice(at, end).replace(/\s/g, '');
    inString = quote >= 0;
    return end + 1;
  }

  function inside(text: string, at: number): number {
    if (escaped) {
      escaped = false;
      return at + 1;
    }
    const end = nextSpecial(text, at);
    if (string.length <= longestString) string += text.slice(at, end).slice(0, longestString + 1);
    if (text[end] === '\\') escaped = true;
    if (text[end] === '"') {
      outline += string.length > longestString ? '""' : `"${string}"`;
      string = '';
      inString = false;
    }
    return end + 1;
  }
}

/** The next quote or backslash, or the end. */
function nextSpecial(text: string, at: number): number {
  special.lastIndex = at;
  return special.exec(text)?.index ?? text.length;
}

const special = /["\\]/g;
