import { Chalk } from 'chalk';
import { plain, type Colors } from './colors.ts';

const { bold, dim, red, green, magenta, cyan } = new Chalk({ level: 1 });

/** Sixteen colours, by our own decision: chalk's own ignores NO_COLOR and reads the arguments. */
export const chalkColors: Colors = { ...plain, bold, dim, red, green, magenta, cyan };
