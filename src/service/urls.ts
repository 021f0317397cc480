/** The addresses of things, on this service. */
export type Urls = ReturnType<typeof urlsOf>;

/** `base` is the service's origin, without a slash at the end. */
export const urlsOf = (base: string) => {
  const organization = (org: string): string => `${base}/v2/organizations/${part(org)}`;
  const pipeline = (org: string, slug: string): string =>
    `${organization(org)}/pipelines/${part(slug)}`;
  const build = (org: string, slug: string, number: number): string =>
    `${pipeline(org, slug)}/builds/${number}`;
  const webPipeline = (org: string, slug: string): string => `${base}/${part(org)}/${part(slug)}`;
  const webBuild = (org: string, slug: string, number: number): string =>
    `${webPipeline(org, slug)}/builds/${number}`;
  return {
    base,
    organization,
    pipeline,
    build,
    job: (org: string, slug: string, number: number, id: string): string =>
      `${build(org, slug, number)}/jobs/${id}`,
    artifact: (org: string, slug: string, number: number, jobId: string, id: string): string =>
      `${build(org, slug, number)}/jobs/${jobId}/artifacts/${id}`,
    /**
     * Where its bytes are, for whoever knows its secret; agents may know the service by another origin. Empty
     * where it is elsewhere, and not on the web.
     */
    artifactFile: (
      { id, secret, elsewhere }: { id: string; secret: string; elsewhere?: { url: string } },
      origin = base,
    ): string => elsewhere?.url ?? `${origin}/v3/artifacts/${id}/${secret}`,
    rule: (org: string, id: string): string => `${organization(org)}/rules/${id}`,
    agent: (org: string, id: string): string => `${organization(org)}/agents/${id}`,
    webOrganization: (org: string): string => `${base}/${part(org)}`,
    webPipeline,
    webBuild,
    webJob: (org: string, slug: string, number: number, id: string): string =>
      `${webBuild(org, slug, number)}#${id}`,
    webAgent: (org: string, id: string): string =>
      `${base}/organizations/${part(org)}/agents/${id}`,
    badge: (id: string): string => `${base}/badges/${id}.svg`,
    avatar: (id: string): string => `${base}/avatars/${id}.svg`,
    webhook: (org: string, id: string): string => `${base}/webhooks/${part(org)}/${id}`,
    emoji: (hexcode: string): string => `${base}/emojis/${hexcode}.svg`,
    ownEmoji: (org: string, name: string): string => `${base}/emojis/${part(org)}/${part(name)}`,
  };
};

const part = (text: string): string => encodeURIComponent(text);

// How a service is reached beside its address on 127.0.0.1: types alone.

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
