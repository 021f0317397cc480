/** Small forms that all resources share. */

/** `Build---uuid` in base64. */
export const graphqlId = (type: string, id: string): string =>
  Buffer.from(`${type}---${id}`).toString('base64');

/** `2015-05-09T21:05:59.874Z`. */
export const iso = (at: number): string => new Date(at).toISOString();

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** `2013-09-03 13:24:38 UTC` (specification, "Pipeline"). */
export const spaced = (at: number): string => `${iso(at).slice(0, 19).replace('T', ' ')} UTC`;
