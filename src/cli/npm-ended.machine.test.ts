import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { endWithTest } from '../../test/kit/started.js'

const MODULE = fileURLToPath(new URL('npm-ended.ts', import.meta.url))

/** What npm would have started: it says so, and says that npm has ended. */
const COMMAND = `import { onceNpmEnded } from ${JSON.stringify(MODULE)}
setInterval(() => undefined, 1000)
onceNpmEnded(() => { console.log('npm has ended'); process.exit() })
console.log('started')`

/** Starts the command as npm does, through a shell. */
const NPM = `require('node:child_process').spawn('sh', ['-c', '"$0" --import tsx --input-type=module --eval "$COMMAND"; exit $?', process.execPath], { stdio: 'inherit' })`

it.runIf(process.platform === 'linux').each(['SIGTERM', 'SIGKILL'] as const)(
  'a command ends when the npm that started it is ended by %s, though its shell lives on',
  async (signal) => {
    const npm = spawn(process.execPath, ['--eval', NPM], {
      env: { ...process.env, npm_command: 'exec', COMMAND },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endWithTest(npm)
    let printed = ''
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    await expect.poll(() => printed, { timeout: 30_000 }).toBe('started\n')
    npm.kill(signal)
    await once(npm, 'exit')
    await expect.poll(() => printed, { timeout: 10_000 }).toBe('started\nnpm has ended\n')
  },
  60_000,
)
