import type { Pipeline } from '../../domain/records.ts';
import { refused } from '../../http/api-error.ts';
import { readNewBuild } from '../../http/routes/builds.ts';
import { makeBuild } from '../../scheduler/make-build.ts';
import { buildNode } from '../nodes/build.ts';
import type { GraphqlContext } from '../context.ts';
import { pipelineAt } from './locate.ts';

interface NewBuildInput {
  readonly pipelineID: string;
  readonly commit?: string | null;
  readonly branch?: string | null;
  readonly message?: string | null;
  readonly author?: { readonly name: string; readonly email: string } | null;
  readonly env?: readonly string[] | null;
  readonly metaData?: readonly { readonly key: string; readonly value: string }[] | null;
}

/** `buildCreate`. */
export async function createBuild(context: GraphqlContext, input: NewBuildInput): Promise<object> {
  const { service, caller } = context;
  const location = pipelineAt(context, input.pipelineID);
  const wanted = readNewBuild(newBuildBody(input, location.pipeline));
  const build = await makeBuild(service, location, {
    ...wanted,
    creatorId: caller.user?.id ?? null,
  });
  return { build: () => buildNode(context, build.id) };
}

/** As REST takes it. Generated clients send empty texts for what they leave out. */
const newBuildBody = (input: NewBuildInput, { defaultBranch }: Pipeline): object => ({
  commit: input.commit || 'HEAD',
  branch: input.branch || defaultBranch,
  message: input.message,
  author: input.author?.name || input.author?.email ? input.author : null,
  env: Object.fromEntries((input.env ?? []).map(variable)),
  meta_data: Object.fromEntries((input.metaData ?? []).map(({ key, value }) => [key, value])),
});

/** `NAME=VALUE`. The value may be a secret: messages leave the entry out. */
function variable(entry: string, index: number): [name: string, value: string] {
  const equals = entry.indexOf('=');
  if (equals < 0) throw refused(`env[${index}] must be NAME=VALUE`);
  return [entry.slice(0, equals), entry.slice(equals + 1)];
}
