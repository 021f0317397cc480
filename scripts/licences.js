/** The licenses of bundled packages. Their only condition is that the notices are included. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licenses that bundled code may have; the build fails on any other. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0']);

const intro = `Third-party licences

The files beside this one contain code of the packages below, each under the licence that follows its
name. Tables in them go back to public data: those of characters and emojis to the Unicode Character
Database and CLDR (Unicode License), those of HTML's character names to the HTML standard (BSD-3-Clause).
`;

/**
 * Creates the notices file in `dist`.
 * @param {string[]} inputs paths of the sources that were bundled
 * @param {{ name: string, text: string }[]} more other contents, with their notices
 */
export function licences(inputs, more = []) {
  const folders = new Set(inputs.flatMap((path) => packageFolder(path) ?? []));
  const texts = [...folders].map(notice).concat(more.map(({ name, text }) => [name, text]));
  const unique = new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
  const sections = [...unique].map(
    ([name, text]) => `${'-'.repeat(72)}\n${name}\n\n${text.trim()}\n`,
  );
  return {
    name: 'THIRD-PARTY-LICENSES.txt',
    contents: [intro, ...sections].join('\n'),
    inputs: [],
  };
}

/** The path of the innermost package, because packages may contain others. */
const packageFolder = (path) =>
  /^(?:.*[\\/])?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path.replace(/^\0/, ''))?.[0];

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!allowed.has(license)) throw new Error(`${name} is under ${license}: it cannot be bundled`);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return [`${name} ${version} (${license})`, readFileSync(join(folder, file), 'utf8')];
}
