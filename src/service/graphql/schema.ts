/** The schema of the public service; `own` marks additions. */
import { buildSchema } from './schema/builds.ts';
import { jobSchema } from './schema/jobs.ts';
import { organizationSchema } from './schema/organizations.ts';
import { rootSchema } from './schema/root.ts';

export const schemaText = [rootSchema, organizationSchema, buildSchema, jobSchema].join('\n');
