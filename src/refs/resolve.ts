export { refOf, resolveBuild, surroundingBuild, type Surroundings } from './resolve-build.ts';
export { resolveJob, resolveJobRef, resolveNamedJob, type JobOptions } from './resolve-job.ts';
export { resolveScope, requireOrg, resolvePipeline, type ListScope } from './resolve-pipeline.ts';
