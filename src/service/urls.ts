export type Urls = ReturnType<typeof urlsOf>;

/** `base` is the origin of the service, without a trailing slash. */
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
    /** Contains a secret. Agents may need another origin. Empty if an external file has no URL. */
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

/** An additional address for agents on other machines. Only serves the agent API and its files. */
export interface AgentAddress {
  /** An IP address or a name of this machine. `0.0.0.0` and `::` stand for all interfaces. */
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Certificate (with its chain) and key in PEM format. If omitted, uses plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** URL for agents that use a proxy or another host name, without a trailing slash. */
  readonly publicUrl?: string;
}
