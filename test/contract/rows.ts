/**
 * The rows of the API specification: every field, state, transition, endpoint, parameter, body
 * member, format, error, limit and access rule, with the test that covers it. Features that need
 * pipeline uploads are excluded. `test/rows` compares rows and tests.
 */
import type { Row } from '../rows/problems.ts';
import { access } from './rows/access.ts';
import { sent } from './rows/commands.ts';
import { served } from './rows/endpoints.ts';
import { resources } from './rows/resources.ts';
import { transitions } from './rows/states.ts';

export const rows: readonly Row[] = [...resources, ...transitions, ...served, ...access, ...sent];
