import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startAgon } from './agon-process.js'
import { killStarted } from './started.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

describe('agon that a test has started', () => {
  it('is ended with the tests, though it would go on and has been stopped', async () => {
    const start = () => startAgon(folder, ['serve', '--port', '0'], { AGON_WORKSPACE: join(folder, 'workspace') })
    const site = start()
    await site.printed('http://')
    site.signal('SIGSTOP')
    killStarted()
    expect((await site.ended).status).toBeNull()
  }, 60_000)
})
