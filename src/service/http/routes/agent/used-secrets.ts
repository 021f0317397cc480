import type { Tree } from '../../../domain/records.ts';
import { knownSecrets } from '../../../scheduler/known-secrets.ts';
import type { ServiceContext } from '../../../service-context.ts';

/**
 * The values that jobs of the build may know: those given to it, and of those that the service keeps the ones
 * that a step names or a job has asked for. What nobody of the build has may be a plain word to it.
 */
export function usedSecrets({ store }: Pick<ServiceContext, 'store'>, tree: Tree): string[] {
  const { build, plan } = tree;
  const known = Object.entries(knownSecrets(store, build));
  if (known.length === 0) return [];
  const used = [
    ...Object.keys(build.options.secrets),
    ...store.givenSecrets.ofBuild(build.id),
    ...plan.steps.flatMap((step) => (step.type === 'command' ? step.secrets : [])).map(keyOf),
  ];
  const names = new Set(used.map((name) => name.toLowerCase()));
  return known.filter(([name]) => names.has(name.toLowerCase())).map(([, value]) => value);
}

const keyOf = ({ key }: { readonly key: string }): string => key;
