import { classStyle, themeStyle } from '../../log/html/colours.ts';
import base from '../assets/base.css?raw';
import build from '../assets/build.css?raw';
import { lightStyle } from '../assets/lighten.ts';
import report from './report.css?raw';

/** All that a report needs of the style of the pages. */
export const reportStyle = [themeStyle, base, build, report, classStyle].map(lightStyle).join('');
