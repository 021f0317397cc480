/** The data of the verbs of `local`, by what they are about. */
export { localUp } from './data/up.ts';
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
export { localArtifacts, localArtifactsDownload } from './data/artifacts.ts';
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
} from './data/agent-tokens.ts';
export { localSecretSet, localSecretList, localSecretRemove } from './data/secrets.ts';
