/** What the parts of a page know beside what they show. */
export interface PageContext {
  /** Milliseconds since the epoch: ages and what still runs count up to it. */
  readonly now: number;
  /**
   * Where an address of the API's `web_url` leads from this page; undefined where it leads nowhere, as
   * an address that is not safe.
   */
  readonly link: (address: string | null | undefined) => string | undefined;
  /** What forms carry; undefined where nothing can be changed: in a report, or by who may not. */
  readonly formToken: string | undefined;
  /** Another value for each page: what is sent twice with the same one is done once. */
  readonly once?: string;
  /** It is read at any later time: no age is true for long. Default false. */
  readonly isFile?: boolean;
}
