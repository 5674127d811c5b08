import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openResults } from '../src/results/write.js'
import { roomsFolder } from '../src/app/workspace.js'
import { Stage } from '../src/build/stage.js'
import { openStore } from '../src/store/sqlite/store.js'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

it('what agon makes in a workspace is for its user alone, whatever is made first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agon-modes-'))
  try {
    const firsts: Record<string, (workspace: string) => (() => Promise<void> | void) | undefined> = {
      store: (workspace: string) => {
        const store = openStore(workspace, 'test')
        for (const name of readdirSync(workspace)) expect([name, modeOf(join(workspace, name))]).toEqual([name, '600'])
        expect(readdirSync(workspace)).toEqual(expect.arrayContaining(['agon.db', 'agon.db-wal']))
        return () => store.close()
      },
      stage: (workspace: string) => {
        const stage = new Stage(workspace)
        expect(stage).toBeInstanceOf(Stage)
        expect(modeOf(join(workspace, 'entrants'))).toBe('700')
        return undefined
      },
      rooms: (workspace: string) => {
        const { release } = roomsFolder(workspace)
        expect(modeOf(join(workspace, 'rooms'))).toBe('700')
        return release
      },
    }
    for (const [name, make] of Object.entries(firsts)) {
      const workspace = join(folder, name)
      const undo = make(workspace)
      expect(modeOf(workspace), name).toBe('700')
      await undo?.()
    }
    // A folder that the host has made is left as the host made it; the seed in it is not to be read.
    mkdirSync(join(folder, 'out'), { mode: 0o755 })
    await openResults(join(folder, 'out'), { seed: 'x' })
    expect(modeOf(join(folder, 'out', 'contest.json'))).toBe('600')
    expect(modeOf(join(folder, 'out'))).toBe('755')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
