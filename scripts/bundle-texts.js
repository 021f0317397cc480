/** Imports files as text, as the test runner does too: `import style from './style.css?raw'`. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const suffix = '?raw';

/** A rolldown plugin. */
export const rawTexts = {
  name: 'raw-texts',
  resolveId(source, importer = '') {
    return source.endsWith(suffix) ? join(dirname(importer), source) : undefined;
  },
  load: {
    filter: { id: /\?raw$/ },
    async handler(id) {
      const text = await readFile(id.slice(0, -suffix.length), 'utf8');
      return { code: `export default ${JSON.stringify(text)};`, moduleType: 'js' };
    },
  },
};
