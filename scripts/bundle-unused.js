/**
 * Replaces parts of packages that are imported statically but not needed, so that less code is
 * loaded at every start.
 *
 * undici: HTTP/2 (turned off in `src/http/undici-transport.ts`), form data, unused constants, one of
 * its two parsers, and almost all of Node's HTTP and assertions. The first request then loads half
 * the code, and does not load Node's HTTP or, for plain HTTP, Node's TLS.
 *
 * commander: its help and suggestions, since ours are generated from the command definitions, and
 * Node's child processes, which are only needed for subcommands that are separate programs.
 *
 * cli-table3: its text measurement, which loads all emojis, and its colors. Our tables use neither.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const missing = (name) =>
  `module.exports = () => { throw new Error(${JSON.stringify(`${name} is not bundled`)}) }`;

/**
 * The constants that undici's client reads. The original module builds maps of all methods and
 * states.
 */
function constants() {
  const client = readFileSync(require.resolve('undici/lib/dispatcher/client-h1.js'), 'utf8');
  const names = new Set([...client.matchAll(/\bconstants\.(\w+)/g)].map(([, name]) => name));
  const all = require('undici/lib/llhttp/constants.js');
  const read = Object.fromEntries([...names].map((name) => [name, all[name]]));
  return `module.exports = ${JSON.stringify(read)}`;
}

/** The replacement for each module, by importing file and import name. */
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
  // The parser with SIMD is only faster for headers larger than those of a CI service.
  [
    /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/,
    '../llhttp/llhttp_simd-wasm.js',
    "module.exports = require('undici/lib/llhttp/llhttp-wasm.js')",
  ],
  [/[\\/]commander[\\/]lib[\\/]command\.js$/, './help.js'],
  [/[\\/]commander[\\/]lib[\\/]command\.js$/, './suggestSimilar'],
  [/[\\/]commander[\\/]lib[\\/]command\.js$/, 'node:child_process'],
  [/[\\/]commander[\\/]index\.js$/, './lib/help.js'],
  // cli-table3 only receives letters that are one column wide (`src/render/table.ts`).
  [
    /[\\/]cli-table3[\\/]src[\\/]utils\.js$/,
    'string-width',
    'module.exports = (text) => text.length',
  ],
  [/[\\/]cli-table3[\\/]src[\\/]cell\.js$/, '@colors/colors/safe'],
  // Validates responses to requests that an MCP server sends to its client. Our server sends none,
  // and `conf` uses another part of the validator.
  [
    /[\\/]sdk[\\/]dist[\\/]esm[\\/]server[\\/]index\.js$/,
    '../validation/ajv-provider.js',
    'export class AjvJsonSchemaValidator {}',
  ],
  // graceful-fs queues operations if too many files are open. Locks do not need that, and its
  // license would be one more to check.
  [/[\\/]proper-lockfile[\\/]lib[\\/]/, 'graceful-fs', "module.exports = require('node:fs')"],
];
const prefix = '\0replacement:';

/** Replaced parts throw if they are called after all. */
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
