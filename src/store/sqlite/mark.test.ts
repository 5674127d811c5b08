import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Level, Mark } from './mark.js'

let workspace = ''
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-mark-'))
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

describe('the mark beside a store', () => {
  const written = (...levels: readonly Level[]) => {
    const mark = new Mark(join(workspace, 'mark'))
    for (const level of levels) mark.write(level)
    mark.close()
  }
  const lost = (level: Level) => {
    const mark = new Mark(join(workspace, 'mark'))
    const found = mark.lost(() => level)
    mark.close()
    return found
  }
  const level = (commits: number, matches: number, store = 'one'): Level => ({ store, commits, matches })

  it('tells what was committed beyond what is there, of the store that it is of', () => {
    written(level(12, 30))
    expect(lost(level(10, 25))).toEqual({ commits: 2, matches: 5 })
    expect(lost(level(12, 30))).toBeUndefined()
    expect(lost(level(10, 25, 'two'))).toBeUndefined()
  })

  it('says nothing of what another process commits while the store is opened', () => {
    written(level(12, 30))
    const mark = new Mark(join(workspace, 'mark'))
    const now = () => {
      // The other's commit ends after our look at the store.
      written(level(13, 31))
      return level(12, 30)
    }
    expect(mark.lost(now)).toBeUndefined()
    mark.close()
  })

  it('is what was written last, whether that is shorter or longer', () => {
    written(level(1_000_000, 2_000_000), level(5, 6))
    expect(lost(level(4, 6))).toEqual({ commits: 1, matches: 0 })
    written(level(1_000_000, 2_000_000))
    expect(lost(level(4, 6))).toEqual({ commits: 999_996, matches: 1_999_994 })
  })

  it('that is damaged is none', () => {
    written(level(12, 30))
    const file = join(workspace, 'mark')
    writeFileSync(file, readFileSync(file, 'utf8').replace('12', '92'))
    expect(lost(level(10, 25))).toBeUndefined()
    writeFileSync(file, '')
    expect(lost(level(10, 25))).toBeUndefined()
  })
})
