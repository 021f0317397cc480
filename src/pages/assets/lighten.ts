/** What browsers get of a source: all but what is there for its readers. */

/**
 * A script without its indentation, breaks behind signs, the lines that are comments, and spaces around signs where a
 * line has no templates and expressions. It has no text over several lines.
 */
export const lightScript = (source: string): string =>
  source
    .replace(/^\s*\/\*[^]*?\*\/\s*$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n')
    .replace(/^[^"`/\n]+$/gm, tightCode)
    .replace(/([;,{}([])\n/g, '$1')
    .replaceAll(';}', '}')
    .trimStart();

const tightCode = (line: string): string =>
  line
    .split(/('[^']*')/)
    .map((piece, at) => (at % 2 === 0 ? tight(piece) : piece))
    .join('');

const tight = (line: string): string =>
  line
    .replace(/ (=>|[=!]==|[<>]=?|[-+]?=|&&|\|\||\?\??|:) /g, '$1')
    .replace(/([,;]) /g, '$1')
    .replace(/\) \{/g, '){');

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
