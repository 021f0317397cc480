/** What browsers get of a source: all but what is there for its readers. */

/** A script without its indentation and the lines that are comments. It has no text over several lines. */
export const lightScript = (source: string): string =>
  source
    .replace(/^\s*\/\*[^]*?\*\/\s*$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n')
    .trimStart();

/** A style sheet without comments, and spaces that mean nothing. */
export const lightStyle = (source: string): string =>
  source
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/([:,]) /g, '$1')
    .replaceAll(' > ', '>')
    .replaceAll(';}', '}')
    .trimStart();
