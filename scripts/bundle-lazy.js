/**
 * A package that is loaded at its first call, in a file of its own, though its importer needs it at
 * once: `string-width` has V8 check expressions over all emojis as soon as the file is read, which
 * takes 20 ms, and most texts never come to it (`src/render/width.ts`).
 */

/** An entry for the bundler: the file that is loaded later. */
export const lazyEntries = { 'string-width': 'string-width' };

const later = './string-width.cjs';
const standIn = '\0later:string-width';

/** A plugin of rolldown. */
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
