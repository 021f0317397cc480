/** The caller. */
import { connection, nothing, type PageArguments } from '../connection.ts';
import { visibleOrganizations, type GraphqlContext } from '../context.ts';
import { buildsOf, type BuildArguments } from './builds.ts';
import { organizationNode } from './organization.ts';
import { userNode } from './user.ts';

interface ViewerBuilds extends Omit<BuildArguments, 'branch'> {
  readonly branch?: string | null;
}

export function viewerNode(context: GraphqlContext): object {
  const { user } = context.caller;
  return {
    __typename: 'Viewer',
    id: 'viewer',
    user: () => userNode(context, user?.id),
    builds: ({ branch, ...given }: ViewerBuilds) =>
      user === undefined
        ? nothing()
        : buildsOf(context, { creatorId: user.id }, { ...given, branch: branch ? [branch] : null }),
    organizations: (args: PageArguments) =>
      connection(
        visibleOrganizations(context),
        args,
        ({ id }) => id,
        (one) => organizationNode(context, one),
      ),
  };
}
