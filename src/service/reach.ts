/** How a service is reached beside its address on 127.0.0.1: types alone. */

/** A second address, for agents of other machines: the agent API with its files, and nothing else. */
export interface AgentAddress {
  /** An address or a name of this machine, or that of all of its interfaces: `0.0.0.0`, `::`. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Certificate (with its chain) and key, as PEM; without them it is plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** What agents call it, where they come through a proxy or by another name; without a slash at the end. */
  readonly publicUrl?: string;
}
