import { integer, member, resource, text, url, type ResourceValue } from './resource.ts';

/** Nanoseconds since the epoch. They exceed 2^53, so only `String()` of an element is exact. */
type HeaderTimes = (number | { toString(): string })[];

/** spec.md, "Job log". `size` is in UTF-8 bytes. */
export const jobLog = resource({
  name: 'job log',
  plural: 'job logs',
  identity: ['content'],
  members: {
    url: url(),
    content: text(),
    size: integer(),
    header_times: member<HeaderTimes>('list')(),
  },
  columns: [
    { path: 'size', heading: 'SIZE' },
    { path: 'url', heading: 'URL' },
  ],
});

export type JobLog = ResourceValue<typeof jobLog>;
