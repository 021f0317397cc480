import { ApiError } from '../api-error.ts';
import { route, type Route } from '../route.ts';

/** Newer agents ask for a stream once, and by this response know that they are to poll. */
export const pingStreamRoutes: readonly Route[] = [
  route(
    'POST',
    '/agentedge.v1.AgentEdgeService/:method',
    null,
    () => {
      throw new ApiError(404, 'Not Found');
    },
    { audience: 'open' },
  ),
];
