/**
 * Adds up vitest's JSON reports, given as arguments: lists skipped and failed tests with the first
 * lines of each error, and prints `N passed, N failed` as the last line.
 */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) add(basename(file, '.json'), read(file));
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
say(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;

function add(name, report) {
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + report.numTodoTests;
  // A file that could not be loaded has no tests, and a run can fail outside of tests.
  const broken = report.testResults.filter(isBroken).length;
  const outside = !report.success && report.numFailedTests + broken === 0 ? 1 : 0;
  sum.failed += broken + outside;
  if (outside > 0) say(`FAILED: ${name}: outside of all tests`);
  for (const file of report.testResults) describe(name, file);
}

function describe(name, file) {
  const path = relative('.', file.name);
  const skipped = file.assertionResults.filter(({ status }) => status === 'skipped').length;
  if (skipped > 0) say(`skipped: ${name}: ${path}: ${skipped}`);
  if (isBroken(file)) say(`FAILED: ${name}: ${path}\n${start(file.message ?? '')}`);
  for (const { status, fullName, failureMessages } of file.assertionResults) {
    if (status !== 'failed') continue;
    say(`FAILED: ${name}: ${path}: ${fullName}\n${start(failureMessages.join('\n'))}`);
  }
}

function isBroken(file) {
  return file.status === 'failed' && file.assertionResults.length === 0;
}

/** Truncated logs keep their end, so one long message must not displace the others. */
function start(text) {
  return text
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, 8)
    .map((line) => `  ${line.slice(0, 200)}`)
    .join('\n');
}

/** A run that crashed left no report. It counts as one failure. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {
      numPassedTests: 0,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [],
    };
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
