/** The rule types that exist, with the value members of each (API specification, "Rule"). */
export const ruleTypes = [
  'pipeline.trigger_build.pipeline',
  'pipeline.artifacts_read.pipeline',
] as const;
