import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { gameNamed } from '../look/games.js'
import { hostLadder, ladderLine } from './ladder.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-ladder-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const context = { workspace: join(folder, 'workspace'), notice: () => undefined }
const options = { noIsolation: true, jobs: 2, timed: 2, matches: 2 }

it('shows where a bot stands among the house bots, which it finds played the next time', async () => {
  const kuhn = await gameNamed('kuhn')
  const place = async (name: string, code: string) => {
    writeFileSync(join(folder, name), code)
    return hostLadder(kuhn, join(folder, name), options, context)
  }
  const first = await place('pass.mjs', `export default () => 'pass'\n`)
  // Ten pairs of five bots, two matches each.
  expect([first.result.played, first.result.reused]).toEqual([20, 0])
  expect(first.standings.rows.map(({ name }) => name).sort()).toEqual(
    ['Bookworm', 'Braggart', 'Keel', 'Penny', 'pass.mjs'].sort(),
  )
  const second = await place('bet.mjs', `export default () => 'bet'\n`)
  expect([second.bot, second.result.played, second.result.reused]).toEqual(['bet.mjs', 8, 12])
})

it('says it in a line', () => {
  const row = (name: string, rank: number) => ({ name, rank, entrant: rank, points: 0, cells: [] })
  const standings = { columns: [], notes: [], rows: [row('Echo', 1), row('Ant', 2), row('Dice', 3)] }
  expect(ladderLine({ bot: 'Ant', standings })).toBe('Ant is number 2 of 3, behind Echo and before Dice')
  expect(ladderLine({ bot: 'Echo', standings })).toBe('Echo is number 1 of 3, before Ant')
  expect(ladderLine({ bot: 'Bee', standings })).toBe('Bee was left out')
})
