import { Chalk } from 'chalk';
import type { Colors } from './colors.ts';

/** Sixteen colours, by our own decision: chalk's own ignores NO_COLOR and reads the arguments. */
export const chalkColors: Colors = new Chalk({ level: 1 });
