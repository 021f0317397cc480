/** `npm run packages`: installs what is missing or out of date. A tool that runs from here goes on. */
import { install } from './setup.js';

install();
