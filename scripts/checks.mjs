/**
 * Runs the checks that need nothing but the sources, at the same time: prettier works on one core for as long as all others together.
 * Prints what those that failed have printed. Exit code 1: one has failed.
 */
import { spawn } from 'node:child_process'

const CHECKS = ['format:check', 'lint', 'types', 'dead']

/** Resolves with the exit code (null: a signal ended it) and all that was printed. */
function run(name) {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => printed.push(bytes))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => done({ name, code, printed: Buffer.concat(printed) }))
  })
}

const results = await Promise.all(CHECKS.map(run))
for (const { name, code, printed } of results) {
  console.log(`${name}: ${code === 0 ? 'passed' : 'failed'}`)
  if (code !== 0) process.stdout.write(printed)
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1
