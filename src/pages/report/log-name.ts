/** The anchor of the log of a job. */
export const logName = (job: string): string => `log-${job.replace(/[^\w-]/g, '_')}`;
