/** `npm run packages`: installs what is missing or out of date. Running tools are not affected. */
import { install } from './setup.js';

install();
