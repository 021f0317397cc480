/** A build, a job and so on, as sent by the API. */
export interface Wire {
  readonly id: string;
  readonly state: string;
  readonly exit_status: number | null;
  readonly signal: string | null;
  readonly [member: string]: unknown;
}

/** GET a path of the service's public API below the organization. */
export type Ask = (path: string) => Promise<Response>;

/** Throws if the request fails. */
export const json = async (ask: Ask, path: string): Promise<unknown> => {
  const response = await ask(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};
