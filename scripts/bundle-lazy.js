/**
 * Puts a package into its own file, loaded on its first call, although its importer imports it
 * statically. `string-width` compiles regular expressions of all emojis when it is loaded, which
 * takes 20 ms, and most texts do not need it (`src/render/width.ts`).
 */

/** An entry for the bundler: the file that is loaded later. */
export const lazyEntries = { 'string-width': 'string-width' };

const later = './string-width.cjs';
const standIn = '\0later:string-width';

/** A rolldown plugin. */
export const loadedLater = {
  name: 'loaded-later',
  resolveId(source, importer) {
    if (source === later) return { id: later, external: true };
    return source === 'string-width' && importer !== undefined ? standIn : undefined;
  },
  load: {
    filter: { id: /^\0later:/ },
    handler: () => `let measure; export default (text) => (measure ??= require('${later}'))(text);`,
  },
};
