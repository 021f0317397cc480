import { issueToken, type Maker } from '../accounts.ts';
import type { Build } from '../domain/records.ts';
import { jobScopes } from '../domain/scopes.ts';

/** Makes the token of a job that an agent takes, which dies when the job ends; gives its secret. */
export const issueJobToken = (maker: Maker, build: Build, jobId: string): string =>
  issueToken(maker, {
    kind: 'job',
    userId: build.creatorId,
    organizationIds: [build.organizationId],
    scopes: jobScopes,
    description: `job ${jobId}`,
    buildId: build.id,
    jobId,
  }).secret;
