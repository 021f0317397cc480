/** The migration after which a batch of artifacts is found by itself: a job may have announced thousands. */
export const artifactBatches = `
  create index artifacts_of_batches on artifacts (job_id, batch, seq);
`;
