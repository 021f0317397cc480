import { issueToken, type Maker } from '../accounts.ts';
import type { Build } from '../domain/records.ts';
import { jobScopes } from '../domain/permissions.ts';

/**
 * Makes the token of a job that an agent takes, which dies when the job ends; gives its secret. That of a
 * slot is new; another agent's comes from what the agent knows, so that it gets the same one again.
 */
export const issueJobToken = (
  maker: Maker,
  build: Build,
  jobId: string,
  ofAgent: { readonly agentId: string; readonly secret: string } | null = null,
): string =>
  issueToken(
    maker,
    {
      kind: 'job',
      userId: build.creatorId,
      organizationIds: [build.organizationId],
      scopes: jobScopes,
      description: `job ${jobId}`,
      buildId: build.id,
      jobId,
      ...(ofAgent !== null && { agentId: ofAgent.agentId }),
    },
    ofAgent?.secret,
  ).secret;
