import { escapeHtml } from './html.ts';

const open = (width: number, height: number, label: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
  `viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(label)}">`;

/** Draws the emoji as text, because clients have emoji fonts. */
export const emojiSvg = (character: string): string =>
  `${open(64, 64, character)}<text x="32" y="50" font-size="52" text-anchor="middle" ` +
  `font-family="Apple Color Emoji,Segoe UI Emoji,Noto Color Emoji,sans-serif">${escapeHtml(character)}</text></svg>\n`;

const text = 'fill="#fff" font-family="Verdana,Geneva,sans-serif" text-anchor="middle"';
const colors: Readonly<Record<string, string>> = {
  passed: '#2c7a3f',
  failed: '#b3261e',
  failing: '#b3261e',
  running: '#9a6700',
  scheduled: '#9a6700',
  blocked: '#9a6700',
};

export function badgeSvg(state: string): string {
  const width = 16 + state.length * 7;
  const color = colors[state] ?? '#6b6b6b';
  return (
    `${open(46 + width, 20, `build: ${state}`)}<rect width="46" height="20" fill="#444"/>` +
    `<rect x="46" width="${width}" height="20" fill="${color}"/>` +
    `<text x="23" y="14" font-size="11" ${text}>build</text>` +
    `<text x="${46 + width / 2}" y="14" font-size="11" ${text}>${escapeHtml(state)}</text></svg>\n`
  );
}

export function initialsSvg(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const letters = (words.length > 1 ? [words[0], words.at(-1)] : [words[0]])
    .map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x20).toUpperCase())
    .join('');
  return (
    `${open(80, 80, name)}<rect width="80" height="80" fill="#555"/>` +
    `<text x="40" y="51" font-size="32" ${text}>${escapeHtml(letters)}</text></svg>\n`
  );
}

const types = ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/svg+xml'];
/** Maximum number of characters in a data URL; about a megabyte of data. */
const longest = 1_400_000;

export const isDataUrl = (url: string): boolean => url.startsWith('data:');

/** Decodes `data:image/png;base64,…`; undefined if it is invalid or too large. */
export function pictureOf(url: string) {
  if (url.length > longest) return undefined;
  const [, type = '', content = ''] =
    /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url) ?? [];
  return types.includes(type) ? { type, content: Buffer.from(content, 'base64') } : undefined;
}

export function isPictureUrl(url: string): boolean {
  if (isDataUrl(url)) return pictureOf(url) !== undefined;
  return /^https?:\/\/[^\s/]/.test(url) && URL.canParse(url);
}
