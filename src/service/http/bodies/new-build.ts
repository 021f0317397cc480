/** The body of "create a build" (specification, "Builds"). */
import type { Author, PullRequest } from '../../domain/records.ts';
import type { NewBuild } from '../../scheduler/make-build.ts';
import { refused } from '../api-error.ts';
import { hasNul, objectOf, bodyReader, withoutNul, type BodyReader } from '../body-reader.ts';

/** Throws `ApiError`: 422 with every error of the members, or with the name that env may not have. */
export function readNewBuild(body: unknown): NewBuild {
  const members = bodyReader(objectOf(body));
  const wanted: NewBuild = {
    commit: members.required('commit'),
    branch: members.required('branch'),
    message: members.text('message') ?? '',
    author: readAuthor(members),
    env: members.map('env'),
    metaData: members.map('meta_data'),
    cleanCheckout: members.flag('clean_checkout'),
    ignoreBranchFilters: members.flag('ignore_pipeline_branch_filters'),
    pullRequest: readPullRequest(members),
  };
  members.done();
  for (const name of Object.keys(wanted.env)) checkName(name);
  return wanted;
}

/** Null, so that it is the creator, where neither name nor email is given: some always send `{}`. */
function readAuthor(members: BodyReader): Author | null {
  const input = members.object('author') ?? {};
  const addError = (message: string): string => {
    members.addError({ field: 'author', code: 'invalid', message });
    return '';
  };
  const part = (name: 'name' | 'email'): string => {
    const value = input[name] ?? '';
    if (typeof value !== 'string') return addError(`author.${name} must be a string`);
    return hasNul(value) ? addError(withoutNul(`author.${name}`)) : value;
  };
  const author = { name: part('name'), email: part('email') };
  return author.name === '' && author.email === '' ? null : author;
}

function readPullRequest(members: BodyReader): PullRequest | null {
  const id = members.integer('pull_request_id');
  if (id !== undefined && id < 1)
    members.addError({
      field: 'pull_request_id',
      code: 'invalid',
      message: 'pull_request_id must be 1 or more',
    });
  const base = members.text('pull_request_base_branch') ?? null;
  const repository = members.text('pull_request_repository') ?? null;
  return id === undefined ? null : { id: String(id), base, repository };
}

function checkName(name: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return;
  throw refused(
    `"${name}" is not a valid environment variable name (only a-z, A-Z, 0-9 and underscores are allowed)`,
  );
}
