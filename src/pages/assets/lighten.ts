/** Minifies a script with no multi-line strings. Lines with strings or slashes keep their spaces. */
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

export const lightStyle = (source: string): string =>
  source
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/([:,]) /g, '$1')
    .replaceAll(' > ', '>')
    .replaceAll(';}', '}')
    .trimStart();
