/** Converts a log to HTML only with `ansi-to-html`, one call per line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import Convert from 'ansi-to-html';

const [file, size] = process.argv.slice(2);
const input = createReadStream(file, { end: Number(size) - 1 });
const convert = new Convert({ escapeXML: true });
const drained = () => new Promise((resolve) => process.stdout.once('drain', resolve));

for await (const line of createInterface({ input })) {
  if (!process.stdout.write(`${convert.toHtml(line)}\n`)) await drained();
}
