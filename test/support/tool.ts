/**
 * The tool under test: the launcher on the current Node, or the executable in `CICTL_TEST_PROGRAM`,
 * as created by `npm run build:exe`.
 */
import { join, resolve } from 'node:path';

const program = process.env['CICTL_TEST_PROGRAM'] ?? '';
/** The executable ignores Node's options, so nothing can be preloaded. */
export const isExecutable = program !== '';

const words = isExecutable
  ? [resolve(program)]
  : [process.execPath, join(import.meta.dirname, '../../bin/cictl.js')];

/** The program to start, and its first arguments. */
export const [toolProgram = '', ...toolWords] = words;

/** The same as a quoted shell command. */
export const toolLine = words.map((word) => `'${word}'`).join(' ');

/** The path of the launcher. The executable contains it, and runs it from there. */
export const launcher = isExecutable ? `${toolProgram}/bin/cictl.js` : (toolWords[0] ?? '');
