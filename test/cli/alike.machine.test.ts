import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

const bot = (body: string) => `export default (view: { turn: number }) => ${body}\n`
const entrant = (name: string) => `[[entrants]]\nname = "${name}"\nmodule = "${name.toLowerCase()}.ts"\n`

const place = new Place({
  'dojo.toml': `title = "Dojo"\ngame = "samurai"\nseed = "1"\n[options]\nturns = 9\n[format]\nkind = "round-robin"\nrepetitions = 4\n${['Bow', 'Copy', 'Guard', 'Random'].map(entrant).join('')}`,
  'bow.ts': bot(`'GBB'.charAt(view.turn % 3)`),
  'copy.ts': bot(`(view.turn % 3 === 0 ? 'G' : 'B')`),
  'guard.ts': bot(`(view.turn % 2 === 0 ? 'G' : 'W')`),
  'random.ts': `export default (_view: unknown, chance: { below(n: number): number }) => 'WBGIPO'.charAt(chance.below(6))\n`,
  // As Bow, but for its second turn.
  'changed.ts': bot(`(view.turn === 2 ? 'G' : 'GBB'.charAt(view.turn % 3))`),
  'mute.sh': 'true\n',
})

const documentOf = <T>({ stdout, stderr }: Ended): T => {
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  const { status, stderr } = await place.agon(['run', 'dojo.toml', '--trust', '--out', 'dojo'])
  if (status !== 0) throw new Error(stderr)
})

describe('agon diff', () => {
  interface Compared {
    matches: number
    moves: number
    differing: { match: string; turn: number; was: string; is: string }[]
  }
  const diff = async (old: string, word: string) =>
    documentOf<Compared>(await place.agon(['diff', 'dojo.toml', old, word, '--trust', '--json']))

  it('finds no difference in a bot that does the same in other words, nor in chance', async () => {
    const [copy, random] = await Promise.all([diff('Bow', 'copy.ts'), diff('random', 'random.ts')])
    expect([copy.matches, copy.differing, random.matches, random.differing]).toEqual([12, [], 12, []])
    expect(copy.moves).toBeGreaterThan(24)
    const { stdout } = await place.agon(['diff', 'dojo.toml', 'Bow', 'copy.ts', '--trust'])
    expect(stdout).toBe(`Dojo: copy.ts in the place of Bow, 12 matches: all ${copy.moves} moves the same\n`)
  })

  it('shows the first move of each match that differs', async () => {
    const { differing } = await diff('Bow', 'changed.ts')
    expect(differing).toHaveLength(12)
    for (const one of differing) expect(one).toMatchObject({ turn: 2, was: 'B', is: 'G' })
    const { stdout } = await place.agon(['diff', 'dojo.toml', 'Bow', 'changed.ts', '--trust'])
    expect(stdout).toMatch(/: another move in 12 of them, the first of each:\n {2}1\/\S+, turn 2: was B, is G\n/)
  })

  it('shows a fault as such, over another wire too', async () => {
    const { differing } = await diff('Bow', 'sh mute.sh')
    expect(differing[0]).toMatchObject({ turn: 1, was: 'B', is: 'a fault (silent)' })
  })

  it('knows its entrants', async () => {
    const { status, stderr } = await place.agon(['diff', 'dojo.toml', 'Bows', 'copy.ts'])
    expect([status, stderr]).toEqual([
      2,
      'agon: no entrant "Bows" (did you mean "Bow"?); there are Bow, Copy, Guard, Random\n',
    ])
  })
})

describe('agon twins', () => {
  interface Twins {
    views: number
    matches: number
    pairs: { pair: string[]; views: number; agreement: number; expected: number; adjusted: number }[]
  }

  it('puts those first who answer alike what others answer otherwise', async () => {
    const { views, pairs } = documentOf<Twins>(
      await place.agon(['twins', 'dojo.toml', '--views', '60', '--trust', '--json']),
    )
    expect([views, pairs.length]).toEqual([60, 6])
    expect(pairs[0]).toMatchObject({ pair: ['Bow', 'Copy'], views: 60, agreement: 1 })
    // Of four bots half of what habits do not explain may be their skill.
    expect(pairs[0]?.adjusted).toBeLessThan(0.05)
    expect(pairs[1]?.adjusted).toBeGreaterThan(0.5)
    expect(pairs[0]?.expected).toBeLessThan(0.9)
  })

  it('says what that means, and accuses no author', async () => {
    const { stdout } = await place.agon(['twins', 'dojo.toml', '--views', '60', '--trust'])
    expect(stdout).toMatch(/^Bow, Copy +60 +100 % +\d+ % +0\.0\d+$/m)
    expect(stdout).toContain(
      'One pair behaves more alike than chance would have it. So do bots that were written apart',
    )
    expect(stdout).toContain('It is a reason to look, and no proof of anything.')
  })
})
