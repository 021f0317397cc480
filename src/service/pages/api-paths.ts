/** Addresses of the API, and of the pages beside them, for what the path of a page names. */
type Params = Readonly<Record<string, string>>;

const part = (text: string | undefined): string => encodeURIComponent(text ?? '');

export const organizationPath = ({ org }: Params): string => `/v2/organizations/${part(org)}`;

export const pipelinePath = (params: Params): string =>
  `${organizationPath(params)}/pipelines/${part(params['pipeline'])}`;

export const buildPath = (params: Params): string =>
  `${pipelinePath(params)}/builds/${part(params['number'])}`;

export const jobPath = (params: Params): string =>
  `${buildPath(params)}/jobs/${part(params['job'])}`;

export const webOrganization = ({ org }: Params): string => `/${part(org)}`;

export const webPipeline = (params: Params): string =>
  `${webOrganization(params)}/${part(params['pipeline'])}`;

export const webBuild = (params: Params): string =>
  `${webPipeline(params)}/builds/${part(params['number'])}`;

export const webJob = (params: Params): string => `${webBuild(params)}/jobs/${part(params['job'])}`;
