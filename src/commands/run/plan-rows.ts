/** The jobs of a plan as `run --plan` prints them: plain data whose names are stable. */
import type { CommandStep, Plan, Step } from '../../service/pipeline/plan.ts';
import { needsOf, type Need } from '../../service/domain/needs.ts';

/** One object a job, in the order of the file. */
export function planRows({ steps }: Plan): object[] {
  const needs = needsOf(steps);
  return steps.map((step, index) => {
    const waits = namesOf(steps, needs[index] ?? []);
    return {
      number: index + 1,
      line: step.line,
      type: step.type,
      key: step.key,
      label: step.label,
      command: null,
      needs: waits.map(({ name, allow_failure: may }) => (may ? `${name} (may fail)` : name)),
      step: step.definition,
      variant: variantOf(step),
      omitted: step.omitted,
      group: step.group && { key: step.group.key, label: step.group.label },
      depends_on: waits,
      allow_dependency_failure: step.allowDependencyFailure,
      ...ofKind(step),
    };
  });
}

/** How a step is called among the others of its file. */
const stepName = ({ key, label, type, line }: Step): string =>
  key ?? label ?? `${type} in line ${line}`;

interface ShownDependency {
  readonly name: string;
  /** Null for a step without one. */
  readonly key: string | null;
  /** Null where a key is named, which may stand for many. */
  readonly line: number | null;
  readonly allow_failure: boolean;
  /** By the order of the file; else the file names it. */
  readonly implicit: boolean;
}

/** Each once, however many jobs a step has. */
function namesOf(steps: readonly Step[], needs: readonly Need[]): ShownDependency[] {
  const seen = new Set<number>();
  return needs.flatMap(({ list, key, allowFailure }): ShownDependency[] => {
    const allow_failure = allowFailure;
    if (key !== null) return [{ name: key, key, line: null, allow_failure, implicit: false }];
    return list.steps.flatMap((index) => {
      const step = steps[index];
      if (step === undefined || seen.has(step.definition)) return [];
      seen.add(step.definition);
      const { key: own, line } = step;
      return [{ name: stepName(step), key: own, line, allow_failure, implicit: true }];
    });
  });
}

/** Which of the jobs of a step it is: `1/3`, or its values of the matrix. */
function variantOf(step: Step): string | null {
  if (step.type !== 'command') return null;
  if (step.parallel !== null) return `${step.parallel.index + 1}/${step.parallel.total}`;
  if (step.matrix === null) return null;
  return Object.entries(step.matrix)
    .map(([name, value]) => (name === '' ? value : `${name}=${value}`))
    .join(' ');
}

function ofKind(step: Step): object {
  switch (step.type) {
    case 'command':
      return ofCommand(step);
    case 'wait':
      return { continue_on_failure: step.continueOnFailure };
    case 'block':
    case 'input':
      return { prompt: step.prompt, fields: step.fields, blocked_state: step.blockedState };
    case 'trigger': {
      const { metaData: meta_data, ...build } = step.build;
      const { pipeline, async, softFail: soft_fail } = step;
      return { pipeline, async, soft_fail, build: { ...build, meta_data } };
    }
  }
}

const ofCommand = (step: CommandStep): object => ({
  command: step.command,
  env: step.env,
  agent_query_rules: step.agentQueryRules,
  artifact_paths: step.artifactPaths,
  plugins: step.plugins,
  parallel: step.parallel,
  matrix: step.matrix,
  soft_fail: step.softFail,
  retry: {
    automatic: step.retry.automatic.map((rule) => ({
      exit_status: rule.exitStatus,
      signal: rule.signal,
      signal_reason: rule.signalReason,
      limit: rule.limit,
    })),
    manual: {
      allowed: step.retry.manual.allowed,
      permit_on_passed: step.retry.manual.permitOnPassed,
      reason: step.retry.manual.reason,
    },
  },
  timeout_in_minutes: step.timeoutInMinutes,
  concurrency: step.concurrency,
  priority: step.priority,
  cancel_on_build_failing: step.cancelOnBuildFailing,
  secrets: step.secrets,
  skip_checkout: step.skipCheckout,
});
