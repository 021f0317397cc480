/**
 * The tool under test: the launcher on the Node at hand or, where `CICTL_TEST_PROGRAM` names one, an
 * executable that `npm run build:exe` has made.
 */
import { join, resolve } from 'node:path';

const program = process.env['CICTL_TEST_PROGRAM'] ?? '';
/** Nothing can be loaded into that one: Node's options are not for it. */
export const isExecutable = program !== '';

const words = isExecutable
  ? [resolve(program)]
  : [process.execPath, join(import.meta.dirname, '../../bin/cictl.js')];

/** The program to start, and the words that come before all others. */
export const [toolProgram = '', ...toolWords] = words;

/** The same for a shell. */
export const toolLine = words.map((word) => `'${word}'`).join(' ');

/** The launcher by its path: the executable carries it, and is a Node that runs it from there. */
export const launcher = isExecutable ? `${toolProgram}/bin/cictl.js` : (toolWords[0] ?? '');
