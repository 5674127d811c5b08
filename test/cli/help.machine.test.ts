import { describe, expect, it } from 'vitest'
import { Place } from './agon.js'

const place = new Place()

describe.concurrent('help', () => {
  for (const verb of [
    '',
    'run',
    'match',
    'check',
    'play',
    'replay',
    'verify',
    'games',
    'wires',
    'rank',
    'duel',
    'diff',
    'twins',
  ]) {
    it(`agon ${verb} --help`, async ({ expect: local }) => {
      const asked = await place.agon([...(verb === '' ? [] : [verb]), '--help'])
      local(asked.stderr).toBe('')
      local(asked.status).toBe(0)
      local(asked.stdout).toMatchSnapshot()
      local(asked.stdout).toContain('Example')
    })
  }

  it('is the same by agon help VERB', async ({ expect: local }) => {
    const [option, verb] = await Promise.all([place.agon(['match', '--help']), place.agon(['help', 'match'])])
    local(verb).toEqual(option)
  })

  it('tells the version', async ({ expect: local }) => {
    local((await place.agon(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('agon games and wires', () => {
  it('list the games as one document', async () => {
    const { stdout } = await place.agon(['games', '--json'])
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id).sort()
    expect(ids).toEqual(['coup', 'gunduel', 'kuhn', 'leduc', 'negotiate', 'samurai', 'stronger'])
  })

  it('tell of a game its options and its wires', async () => {
    const [game, wires] = await Promise.all([
      place.agon(['games', 'samurai']),
      place.agon(['wires', 'gunduel', '--json']),
    ])
    expect(game.stdout).toContain('turns = 500')
    const rows = JSON.parse(wires.stdout) as { name: string; default: boolean; transport: string; memory: string }[]
    expect(rows.find(({ name }) => name === 'exit')).toMatchObject({
      transport: 'turn',
      memory: 'turn',
      default: false,
    })
    expect(rows.filter((row) => row.default).map(({ name }) => name)).toEqual(['lines'])
  })
})
