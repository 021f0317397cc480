// Renders a log as HTML with colors, but no links or other markup. Loaded on first use.
import Convert from 'ansi-to-html';

const longest = 65_536;

export async function* logHtml(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const convert = new Convert({ escapeXML: true, stream: true });
  let partial = '';
  yield encoder.encode('<pre class="term-container">');
  for await (const chunk of content) {
    const lines = (partial + decoder.decode(chunk, { stream: true })).split('\n');
    partial = lines.pop() ?? '';
    if (partial.length > longest) {
      lines.push(partial);
      partial = '';
    }
    if (lines.length > 0) yield encoder.encode(lines.map((line) => show(convert, line)).join(''));
  }
  const rest = partial + decoder.decode();
  yield encoder.encode(`${rest === '' ? '' : show(convert, rest)}</pre>\n`);
}

const show = (convert: Convert, line: string): string => `${convert.toHtml(settle(line))}\n`;

/** Removes control sequences except colors, and text that a carriage return overwrites. */
function settle(line: string): string {
  const plain = line
    .replace(/\x1b[_\]P^X][^\x07\x1b]*(?:\x07|\x1b\\)?/g, '')
    .replace(/\x1b\[[0-?]*[ -/]*[@-ln-~]/g, '')
    .replace(/\x1b[^[]/g, '')
    .replace(/\r+$/, '');
  return plain.slice(plain.lastIndexOf('\r') + 1).replace(/[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g, '');
}
