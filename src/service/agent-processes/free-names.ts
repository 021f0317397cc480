/** `agent-1`, `agent-2` and so on, as far as nobody has them: a checkout goes by the name of its agent. */
export function freeNames(taken: readonly string[], count: number): string[] {
  const used = new Set(taken);
  const names: string[] = [];
  for (let number = 1; names.length < count; number++)
    if (!used.has(`agent-${number}`)) names.push(`agent-${number}`);
  return names;
}
