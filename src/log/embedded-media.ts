/**
 * What a log puts on the page by a string sequence of its own: OSC 1337 and 1338 pictures, OSC 1339
 * links. Nothing is loaded: a picture is shown as its name and, where it has an address, linked.
 */
export interface EmbeddedMedia {
  readonly isPicture: boolean;
  readonly text: string;
  /** Unchecked; empty where there is none. */
  readonly link: string;
}

/** Reads the body of an OSC sequence; undefined for any other. */
export function readEmbeddedMedia(body: string): EmbeddedMedia | undefined {
  const semicolon = body.indexOf(';');
  const kind = body.slice(0, semicolon);
  const rest = body.slice(semicolon + 1);
  if (kind === '1337') return readFile(rest);
  if (kind !== '1338' && kind !== '1339') return undefined;
  const { url = '', alt, content } = readPairs(rest);
  const isPicture = kind === '1338';
  return { isPicture, text: (isPicture ? alt : content) ?? url, link: url };
}

/** `File=name=BASE64;inline=1:DATA`; other uses of 1337 show nothing. */
function readFile(rest: string): EmbeddedMedia | undefined {
  const match = /^File=([^:]*)/.exec(rest);
  if (!match) return undefined;
  const { name = '' } = readPairs(match[1] ?? '');
  return { isPicture: true, text: Buffer.from(name, 'base64').toString() || 'picture', link: '' };
}

/** `url='https://…';alt=text`: values bare or in quotes, where `;` may stand. */
function readPairs(text: string): Partial<Record<string, string>> {
  const pairs: Partial<Record<string, string>> = Object.create(null) as object;
  for (const [, key = '', single, double, bare] of text.matchAll(pair)) {
    pairs[key] ??= single ?? double ?? bare ?? '';
  }
  return pairs;
}

const pair = /([a-z]+)=(?:'([^']*)'|"([^"]*)"|([^;]*))/g;
