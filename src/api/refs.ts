export interface PipelineRef {
  readonly org: string;
  readonly pipeline: string;
}

export interface BuildRef extends PipelineRef {
  readonly number: number;
}

export interface JobRef extends BuildRef {
  readonly job: string;
}

/** `acme/web` */
export const pipelineName = (ref: PipelineRef): string => `${ref.org}/${ref.pipeline}`;

/** `acme/web/42` */
export const buildName = (ref: BuildRef): string => `${pipelineName(ref)}/${ref.number}`;

/** `acme/web/42#3f0e…` */
export const jobName = (ref: JobRef): string => `${buildName(ref)}#${ref.job}`;
