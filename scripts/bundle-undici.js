/**
 * Parts of undici that it imports at its top and that the tool cannot reach: HTTP/2, which
 * `src/http/undici.ts` turns off, and form data as a body, which nothing sends. Without them a
 * first request loads a third less code, and neither Node's HTTP/2 nor, over plain HTTP, its TLS.
 */
const unused = [
  { part: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/, imports: './client-h2.js' },
  {
    part: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/,
    imports: '../web/fetch/body.js',
  },
];
const prefix = '\0unused:';

/** A plugin of rolldown. What is left out throws where it is called after all. */
export const withoutUnused = {
  name: 'without-unused',
  resolveId: {
    filter: { id: /^\.\/client-h2\.js$|^\.\.\/web\/fetch\/body\.js$/ },
    handler(source, importer) {
      const isUnused = unused.some((u) => u.imports === source && u.part.test(importer));
      return isUnused ? prefix + source : undefined;
    },
  },
  load: {
    filter: { id: /^\0unused:/ },
    handler: (id) => {
      const message = `${id.slice(prefix.length)} of undici is not bundled`;
      return `module.exports = () => { throw new Error(${JSON.stringify(message)}) }`;
    },
  },
};
