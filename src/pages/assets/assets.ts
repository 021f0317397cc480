import { classStyle, themeStyle } from '../../log/html/colours.ts';
import base from './base.css?raw';
import build from './build.css?raw';
import core from './core.js?raw';
import icon from './icon.svg?raw';
import { lightScript, lightStyle } from './lighten.ts';
import lists from './lists.css?raw';
import log from './log.css?raw';
import logScript from './log.js?raw';
import stats from './stats.css?raw';

export const pageStyleSheet = [themeStyle, base, lists, build, stats, log, classStyle]
  .map(lightStyle)
  .join('');

/** Each script has a scope of its own. */
export const pageScript = [core, logScript]
  .map((part) => `(() => {\n${lightScript(part)}})();\n`)
  .join('');

export const pageIcon: string = icon;
