/**
 * Parts of packages that they import at their top and that the tool does not need: less code to load
 * at every start.
 *
 * Of undici HTTP/2, which `src/http/undici-transport.ts` turns off, form data as a body, which nothing sends,
 * and of Node's HTTP and assertions the little that is used. Without them a first request loads a
 * third less code, and neither Node's HTTP nor, over plain HTTP, its TLS. Of commander its own help
 * and suggestions, since ours are made from the commands' data, and Node's child processes, which it
 * would need for commands that are programs.
 */
const missing = (name) =>
  `module.exports = () => { throw new Error(${JSON.stringify(`${name} is not bundled`)}) }`;

/** What comes in place of each; by the file that imports it and the name by which it does. */
const replacements = [
  [/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/, './client-h2.js'],
  [/[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/, '../web/fetch/body.js'],
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
