/** `branches` of a step has the language of the pipeline's own filter, as a text or a list. */
export { branchMatches as branchesMatch } from '../branches.ts';
