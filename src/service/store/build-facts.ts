/**
 * The migration for lists with several filters. Where each of them leaves many builds, looking at
 * their rows one by one took a second of a hundred thousand: this index has all that filters ask
 * for, but for meta-data, in the order of the lists.
 */
export const buildFacts = `
  create index builds_facts on builds (
    organization_id, seq, pipeline_id, state, blocked, branch, commit_id, creator_id, created_at, finished_at
  );
`;
