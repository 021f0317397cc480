/** What STATE shows of a build or a job: a blocked build keeps its last state. */
export const statusOf = ({ state, blocked }: Readonly<Record<string, unknown>>): unknown =>
  blocked === true ? 'blocked' : state;
