import { describe, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

const ENTRANT = (name: string, module: string) => `[[entrants]]\nname = "${name}"\nmodule = "${module}"\n`
const contest = (format: string, memory = 'match') =>
  `title = "Dojo"\ngame = "samurai"\nseed = "1"\nmemory = "${memory}"\n[options]\nturns = 6\n[format]\nkind = "${format}"\nrepetitions = 2\n` +
  ENTRANT('One', 'random.ts') +
  ENTRANT('Two', 'random.ts') +
  ENTRANT('Bower', 'bower.js')

const place = new Place({
  'dojo.toml': contest('round-robin'),
  'last.toml': contest('last-standing'),
  'elephant.toml': contest('round-robin', 'tournament'),
  'random.ts': `export default (_view: unknown, chance: { below(n: number): number }) => 'WBGIPO'.charAt(chance.below(6))\n`,
  'bower.js': `export default () => 'B'\n`,
})

interface Document {
  matches: number
  played: number
  reused: number
  stopped?: { reason: string; confidence: number; budget: number; places: number }
  standings: { name: string; points: number; cells: { Matches: number } }[]
}
const documentOf = ({ stdout, stderr }: Ended): Document => {
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout) as Document
}
const run = (out: string, ...args: string[]) => place.agon(['run', 'dojo.toml', '--trust', '--out', out, ...args])

describe('agon run --until-settled', () => {
  it('plays until its budget ends, and nothing that has been played before', async () => {
    const plain = documentOf(await run('plain', '--json'))
    expect([plain.played, plain.stopped]).toEqual([6, undefined])
    const args = ['--until-settled', 'all', '--budget', '31', '--json']
    const one = documentOf(await run('one', ...args))
    expect([one.matches, one.reused]).toEqual([30, 6])
    expect(one.stopped).toMatchObject({ reason: 'budget', budget: 31, places: 2 })
    expect(one.standings.reduce((sum, { cells }) => sum + cells.Matches, 0)).toBe(60)
    const again = documentOf(await run('again', ...args, '--jobs', '3'))
    expect([again.played, again.standings, again.stopped]).toEqual([0, one.standings, one.stopped])
    const shown = documentOf(await place.agon(['standings', 'dojo.toml', '--json']))
    expect(shown.standings).toEqual(one.standings)
  })

  it('says in words how it ended, and what the budget is by default', async () => {
    const { stdout, status, stderr } = await run('words', '--until-settled', '1')
    expect([status, stderr.includes('failed')]).toEqual([0, false])
    expect(stdout).toMatch(
      /points are a game's; the first place (not )?decided at 95 % after \d+ matches \(the plain format has 6\)/,
    )
    const { stopped, matches } = documentOf(await run('default', '--until-settled', '1', '--json'))
    expect(stopped?.budget).toBe(24)
    expect(matches).toBeLessThanOrEqual(24)
  })

  it.each([
    ['dojo.toml', ['--budget', '9'], /--budget and --confidence need --until-settled/],
    ['dojo.toml', ['--until-settled', 'some'], /must be a whole number from 1/],
    ['dojo.toml', ['--until-settled', '1', '--confidence', '95'], /from 0\.5 to below 1/],
    ['last.toml', ['--until-settled', '1'], /only round-robin, ordered-pairs and groups can be played until settled/],
    ['elephant.toml', ['--until-settled', '1'], /no bot may remember one: these have memory = "tournament"/],
  ])('refuses %s with %j', async (file, args, message) => {
    const { status, stdout, stderr } = await place.agon(['run', file, '--out', 'refused', ...args])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
