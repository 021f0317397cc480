import { themeStyle } from './theme-style.ts';

/** Numbers and times stand in the padding of their line: its tab stops count from its text. */
export const pageStyle = `${themeStyle}body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
header { padding: 16px 16px 12px; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
header p { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 0; color: var(--quiet); overflow-wrap: anywhere; }
header a { text-decoration: none; }
header a:hover { text-decoration: underline; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.busy { color: var(--busy); }
nav { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 8px; padding: 8px 16px; background: var(--bar); border-block: 1px solid var(--rule); }
nav[hidden] { display: none; }
input, button { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--rule); border-radius: 6px; padding: 3px 10px; }
input { flex: 0 1 360px; min-width: 0; }
input::placeholder { color: var(--quiet); opacity: 1; }
button { cursor: pointer; }
button:disabled { color: var(--quiet); cursor: default; }
output { color: var(--quiet); white-space: nowrap; }
.all { margin-left: auto; white-space: nowrap; }
main { --gutter: 8ch; padding: 8px 0 32px; font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
main.timed { --gutter: 19ch; }
main div, summary { position: relative; min-height: 1.5em; padding: 0 16px 0 var(--gutter); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 8; scroll-margin-top: 64px; }
main div > a[href^="#L"], summary > a { position: absolute; left: 0; width: 6ch; text-align: right; color: var(--quiet); text-decoration: none; -webkit-user-select: none; user-select: none; }
main div > a[href^="#L"]:hover, summary > a:hover { color: var(--link); text-decoration: underline; }
time { margin-right: 1ch; color: var(--quiet); -webkit-user-select: none; user-select: none; }
.timed time { position: absolute; left: 8ch; margin: 0; }
main .day { color: var(--quiet); -webkit-user-select: none; user-select: none; }
section { position: relative; margin: 4px 0; }
summary { padding-block: 4px; padding-right: 9ch; background: var(--bar); border-block: 1px solid var(--rule); font-weight: 600; cursor: pointer; list-style: none; }
summary > a, summary > time { font-weight: 400; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "\\25b8"; position: absolute; left: calc(var(--gutter) - 1.6ch); color: var(--quiet); font-weight: 400; }
details[open] > summary::before { content: "\\25be"; }
.muted > summary { color: var(--quiet); font-weight: 400; }
.took { position: absolute; top: 5px; right: 16px; color: var(--quiet); pointer-events: none; -webkit-user-select: none; user-select: none; }
main div:target, main div.now, summary:target, summary.now { background: var(--marked); color: var(--ink); box-shadow: inset 3px 0 var(--busy); }
::highlight(found) { background: #ffd33d; color: #000000; }
@media (max-width: 600px) {
  header { padding: 12px 12px 8px; }
  nav { padding: 8px 12px; }
  input { flex: 1 1 0; }
  main, main.timed { --gutter: 7.5ch; font-size: 12px; }
  main div > a[href^="#L"], summary > a { width: 5ch; }
  .timed time { display: none; }
}
@media print {
  :root { color-scheme: light; }
  nav { display: none; }
}
`;
