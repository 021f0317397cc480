/** Which requests are meant for an address of the service, and what their senders call it. */
export interface Reach {
  /** The origin of those who may come through a proxy; undefined where there is none. */
  readonly publicUrl?: string | undefined;
  /**
   * The origin (`http://127.0.0.1:8090`) under which the sender reaches the service, by the headers
   * `Host` and `Origin` of its request. Throws `ApiError` 403 for one that was not meant for it.
   */
  originOf(host: string | undefined, page: string | undefined): string;
}
