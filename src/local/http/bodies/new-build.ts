/** The body of "create a build" (specification, "Builds"). */
import type { Author, PullRequest } from '../../domain/records.ts';
import { refused } from '../api-error.ts';
import { objectOf, reader, type Reader } from '../validate.ts';

/** What the creator of a build asks for. */
export interface WantedBuild {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
  readonly author: Author | null;
  readonly env: Readonly<Record<string, string>>;
  readonly metaData: Readonly<Record<string, string>>;
  readonly cleanCheckout: boolean;
  readonly ignoreBranchFilters: boolean;
  readonly pullRequest: PullRequest | null;
}

/** Throws `ApiError`: 422 with every fault of the members, or with the name that env may not have. */
export function readNewBuild(body: unknown): WantedBuild {
  const members = reader(objectOf(body));
  const wanted: WantedBuild = {
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

function readAuthor(members: Reader): Author | null {
  const given = members.object('author');
  if (given === undefined) return null;
  const part = (name: 'name' | 'email'): string => {
    const value = given[name] ?? '';
    if (typeof value === 'string') return value;
    members.fault({
      field: 'author',
      code: 'invalid',
      message: `author.${name} must be a string`,
    });
    return '';
  };
  return { name: part('name'), email: part('email') };
}

function readPullRequest(members: Reader): PullRequest | null {
  const id = members.integer('pull_request_id');
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
