/** Loaded before a measured tool: writes its largest memory in kilobytes to the file of CICTL_BENCH_PEAK. */
process.once('exit', () => {
  const { maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.CICTL_BENCH_PEAK, String(maxRSS));
});
