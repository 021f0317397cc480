/**
 * Parts of packages that they import at their top and that the tool does not need: less code to load
 * at every start.
 *
 * Of undici HTTP/2, which `src/http/undici-transport.ts` turns off, form data as a body, which nothing
 * sends, of Node's HTTP and assertions the little that is used, and of the constants of HTTP those that
 * its client reads. Without the rest a first request loads a third less code, and neither Node's HTTP nor,
 * over plain HTTP, its TLS. Of commander its own help and suggestions, since ours are made from the
 * commands' data, and Node's child processes, which it would need for commands that are programs. Of
 * cli-table3 how it measures texts, which loads all emojis, and its colours: it is given neither.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const missing = (name) =>
  `module.exports = () => { throw new Error(${JSON.stringify(`${name} is not bundled`)}) }`;

/** Those of its constants that undici's client reads; the file makes maps of all methods and states. */
function constants() {
  const client = readFileSync(require.resolve('undici/lib/dispatcher/client-h1.js'), 'utf8');
  const names = new Set([...client.matchAll(/\bconstants\.(\w+)/g)].map(([, name]) => name));
  const all = require('undici/lib/llhttp/constants.js');
  const read = Object.fromEntries([...names].map((name) => [name, all[name]]));
  return `module.exports = ${JSON.stringify(read)}`;
}

/** What comes in place of each; by the file that imports it and the name by which it does. */
const replacements = [
  [/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/, './client-h2.js'],
  [/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/, '../web/fetch/body.js'],
  [/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/, '../llhttp/constants.js', constants()],
  [
    /[\\/]undici[\\/]lib[\\/]/,
    'node:http',
    'module.exports = { IncomingMessage: class {}, maxHeaderSize: 16384 }',
  ],
  [
    /[\\/]undici[\\/]lib[\\/]/,
    'node:assert',
    'module.exports = (value, message) => { if (!value) throw message ?? new Error("assertion failed") }',
  ],
  [/[\\/]commander[\\/]lib[\\/]command\.js$/, './help.js'],
  [/[\\/]commander[\\/]lib[\\/]command\.js$/, './suggestSimilar'],
  [/[\\/]commander[\\/]lib[\\/]command\.js$/, 'node:child_process'],
  [/[\\/]commander[\\/]index\.js$/, './lib/help.js'],
  // It is given rows of a letter that takes one column (`src/render/table.ts`).
  [
    /[\\/]cli-table3[\\/]src[\\/]utils\.js$/,
    'string-width',
    'module.exports = (text) => text.length',
  ],
  [/[\\/]cli-table3[\\/]src[\\/]cell\.js$/, '@colors/colors/safe'],
  // It checks what a program that asks for tools is asked in return, which is nothing; `conf` has another part.
  [
    /[\\/]sdk[\\/]dist[\\/]esm[\\/]server[\\/]index\.js$/,
    '../validation/ajv-provider.js',
    'export class AjvJsonSchemaValidator {}',
  ],
  // It waits where too many files are open, which no lock needs, and its licence is one more to check.
  [/[\\/]proper-lockfile[\\/]lib[\\/]/, 'graceful-fs', "module.exports = require('node:fs')"],
];
const prefix = '\0replacement:';

/** A plugin of rolldown. What is left out throws where it is called after all. */
export const withoutUnused = {
  name: 'without-unused',
  resolveId: {
    handler(source, importer = '') {
      const at = replacements.findIndex(([file, name]) => name === source && file.test(importer));
      return at === -1 ? undefined : `${prefix}${at}`;
    },
  },
  load: {
    filter: { id: /^\0replacement:/ },
    handler(id) {
      const [, name, code = missing(name)] = replacements[Number(id.slice(prefix.length))];
      return code;
    },
  },
};
