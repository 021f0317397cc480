/** What agents may ask for and this service does not have. */
import { ApiError } from '../../api-error.ts';
import type { Route, RouteMethod } from '../../route.ts';
import { jobRoute } from './job-route.ts';

const registry = '/v3/cache_registries/:registry';

const absent: readonly [method: RouteMethod, path: string, message: string][] = [
  ...(
    [
      ['GET', ''],
      ['GET', '/peek'],
      ['POST', '/peek'],
      ['POST', '/retrieve'],
      ['POST', '/expire'],
      ['PUT', '/store'],
      ['PUT', '/commit'],
    ] as const
  ).map(([method, action]): [RouteMethod, string, string] => [
    ...([method, `${registry}${action}`, 'Cache registry not found'] as const),
  ]),
  ...['repository_access_token', 'github_code_access_token'].map(
    (name): [RouteMethod, string, string] => [
      ...([
        'POST',
        `/v3/jobs/:job/${name}`,
        'No credentials for repositories are kept here',
      ] as const),
    ],
  ),
];

export const absentRoutes: readonly Route[] = absent.map(([method, path, message]) =>
  jobRoute(method, path, () => {
    throw new ApiError(404, message);
  }),
);
