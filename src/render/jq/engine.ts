import { loadJq, type Jq } from 'jq-wasm';

let loading: Promise<Jq> | undefined;

/** The real jq, compiled once for the process. */
export const jqEngine = (): Promise<Jq> => (loading ??= loadJq());
