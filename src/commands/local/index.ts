/** The data of the verbs of `local`, by what they are about. */
export { localUp } from './data/service.ts';
export {
  localDown,
  localStatus,
  localOpen,
  localPrune,
  localLogs,
  localReset,
} from './data/service.ts';
export {
  localPipelineAdd,
  localPipelineList,
  localPipelineRemove,
  localPipelineSet,
} from './data/pipelines.ts';
export { localArtifacts, localArtifactsDownload } from './data/pipelines.ts';
export {
  localAgents,
  localAgentStart,
  localAgentStop,
  localAgentPause,
  localAgentResume,
} from './data/agents.ts';
export { localOrgAdd, localUserAdd, localTokenCreate } from './data/accounts.ts';
export {
  localAgentTokenCreate,
  localAgentTokenList,
  localAgentTokenRevoke,
} from './data/agents.ts';
export { localSecretSet, localSecretList, localSecretRemove } from './data/accounts.ts';
