/** The caller. */
import { connection, nothing, type PageArguments } from '../connection.ts';
import { organizationsSeen, type GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { organizationNode } from './organization.ts';
import { userNode } from './user.ts';

interface ViewerBuilds extends Omit<BuildArguments, 'branch'> {
  readonly branch?: string | null;
}

export function viewerNode(viewpoint: GraphqlContext): object {
  const { user } = viewpoint.caller;
  return {
    __typename: 'Viewer',
    id: 'viewer',
    user: () => userNode(viewpoint, user?.id),
    builds: ({ branch, ...given }: ViewerBuilds) =>
      user === undefined
        ? nothing()
        : buildsOf(
            viewpoint,
            { creatorId: user.id },
            { ...given, branch: branch ? [branch] : null },
          ),
    organizations: (given: PageArguments) =>
      connection(
        organizationsSeen(viewpoint),
        given,
        ({ id }) => id,
        (one) => organizationNode(viewpoint, one),
      ),
  };
}
