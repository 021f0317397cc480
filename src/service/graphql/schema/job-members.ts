/** What can be asked of a job without knowing its kind: `JobInterface`. */
export const jobMembers = `
  uuid: String!
  retried: Boolean!
  retriedBy: User
  retriesCount: Int
  retrySource: Job
  retryType: JobRetryTypes
`;

/** What every kind of job has. */
export const sharedMembers = `
  id: ID!
  ${jobMembers}
  state: JobStates!
  label: String
  build: Build
`;
