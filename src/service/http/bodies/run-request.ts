import type { RunRequest } from '../../admin.ts';
import { bodyReader, objectOf, type BodyReader } from '../body-reader.ts';

/** The body of `POST /runs`. Throws `ApiError` where a member is missing or wrong. */
export function readRun(body: unknown): RunRequest {
  const members = bodyReader(objectOf(body));
  members.required('folder');
  for (const name of ['org', 'slug', 'file', 'repository']) members.text(name);
  members.choice('workspace', ['inplace', 'copy', 'worktree']);
  members.map('hostEnv');
  members.integer('pid');
  members.object('plan');
  if (members.object('build') === undefined) members.addError({ field: 'build', code: 'missing' });
  readParts(members);
  members.done();
  // The plan comes from this very program, by the hand of the user whose token this is.
  return body as RunRequest;
}

function readParts(members: BodyReader): void {
  const text = bodyReader(members.object('text') ?? { name: '-', text: '-' });
  text.required('name');
  text.required('text');
  text.done();
  const only = bodyReader(members.object('only') ?? {});
  only.text('from');
  only.texts('steps');
  only.flag('needs');
  only.done();
  const options = bodyReader(members.object('options') ?? {});
  options.object('plugins');
  options.text('pluginsFrom');
  options.map('secrets');
  options.choice('triggers', ['skip', 'error']);
  options.flag('tty');
  options.flag('allowUnknownKeys');
  options.flag('ignoreMissingDependencies');
  options.choice('runsOn', ['slots', 'agents']);
  options.done();
}
