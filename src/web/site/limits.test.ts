import { describe, expect, it } from 'vitest'
import { limitIn, withLimit } from './limits.js'

const FILE = `title = "T"
turn = 3 # no limit

[limits] # of all
output = 4_096   # bytes

[[entrants]]
house = "Abacus"
turn = 7`

describe('a limit in a contest file', () => {
  it('is found in its table alone', () => {
    expect([limitIn(FILE, 'output'), limitIn(FILE, 'turn'), limitIn('', 'turn')]).toEqual([
      '4096',
      undefined,
      undefined,
    ])
  })

  it('is changed, added and taken out, and nothing else is touched', () => {
    const changed = withLimit(FILE, 'output', '100')
    expect(changed).toBe(FILE.replace('4_096', '100'))
    expect(withLimit(FILE, 'output', '')).toBe(FILE.replace('output = 4_096   # bytes\n', ''))
    const added = withLimit(FILE, 'turn', '500')
    expect(added).toBe(FILE.replace('# of all\n', '# of all\nturn = 500\n'))
    expect(limitIn(added, 'turn')).toBe('500')
    expect(withLimit(FILE, 'turn', 'x')).toBe(FILE)
  })

  it('gets a table where there is none, before the entrants', () => {
    const bare = 'title = "T"\n[[entrants]]\nhouse = "Abacus"'
    expect(withLimit(bare, 'turn', '5')).toBe('title = "T"\n[limits]\nturn = 5\n\n[[entrants]]\nhouse = "Abacus"')
    expect(limitIn(withLimit('title = "T"', 'turn', '5'), 'turn')).toBe('5')
  })
})
