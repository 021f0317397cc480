/** A log as HTML by `ansi-to-html` alone: one call for each line. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import Convert from 'ansi-to-html';

const [file] = process.argv.slice(2);
const convert = new Convert({ escapeXML: true });
const drained = () => new Promise((resolve) => process.stdout.once('drain', resolve));

for await (const line of createInterface({ input: createReadStream(file) })) {
  if (!process.stdout.write(`${convert.toHtml(line)}\n`)) await drained();
}
