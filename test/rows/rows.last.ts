import { rows } from '../contract/rows.ts';
import { checkRows } from './check.ts';

checkRows(rows, (file) => file.startsWith('test/contract/'));
