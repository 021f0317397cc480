/** Asks the public API of the service that a case ran in. */
/** A build, a job and so on, as the API sends it. */
export interface Wire {
  readonly id: string;
  readonly state: string;
  readonly exit_status: number | null;
  readonly signal: string | null;
  readonly [member: string]: unknown;
}

/** GET of the public API of the service, below the organization. */
export type Ask = (path: string) => Promise<Response>;

/** Throws where it is refused. */
export const json = async (ask: Ask, path: string): Promise<unknown> => {
  const response = await ask(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};
