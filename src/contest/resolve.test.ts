import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CONTESTS, resolveContest } from './resolve.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-resolve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const contests = join(folder, 'contests')
mkdirSync(contests)
const two = '[[entrants]]\nname = "A"\ncommand = "true"\n[[entrants]]\nname = "B"\ncommand = "true"\n'
writeFileSync(join(contests, 'samurai.toml'), `game = "samurai"\n[format]\nrepetitions = 10\nquick = 2\n${two}`)
writeFileSync(join(contests, 'coup.toml'), `game = "coup"\n[format]\nrepetitions = 100\n${two}`)

test("a game's bare name is its contest, shortened for a first look", async () => {
  const quick = await resolveContest('samurai', contests)
  expect([quick.contest.format.repetitions, quick.fullRepetitions]).toEqual([2, 10])
  const whole = await resolveContest(join(contests, 'samurai.toml'))
  expect([whole.contest.format.repetitions, whole.fullRepetitions]).toEqual([10, undefined])
  const never = await resolveContest('coup', contests)
  expect([never.contest.format.repetitions, never.fullRepetitions]).toEqual([100, undefined])
})

test('what is neither is reported with what there is', async () => {
  const errorOf = (ref: string): Promise<string> =>
    resolveContest(ref, contests).then(
      () => 'no mistake',
      (error: Error) => `${error.name}: ${error.message}`,
    )
  expect(await errorOf('samuray')).toMatchInlineSnapshot(
    `"UserError: unknown contest "samuray" (did you mean "samurai"?): name a .toml file, or a game (coup, samurai)"`,
  )
  expect(await errorOf('gunduel')).toMatchInlineSnapshot(
    `"UserError: unknown contest "gunduel": name a .toml file, or a game (coup, samurai)"`,
  )
  expect(await errorOf('no-such-contest.toml')).toMatchInlineSnapshot(
    `"UserError: there is no contest file no-such-contest.toml: name a .toml file, or a game (coup, samurai)"`,
  )
  expect(await errorOf('no/such')).toMatchInlineSnapshot(
    `"UserError: there is no contest file no/such: name a .toml file, or a game (coup, samurai)"`,
  )
  expect(await errorOf(join(contests, 'coop.toml'))).toContain(
    'coop.toml (did you mean "coup.toml"?): name a .toml file',
  )
})

test.each(readdirSync(CONTESTS).filter((name) => name.endsWith('.toml')))(
  '%s, which ships, is a contest',
  async (name) => {
    const { contest, definition, fullRepetitions } = await resolveContest(name.replace('.toml', ''))
    expect(definition.game.id).toBe(name.replace('.toml', ''))
    expect(contest.entrants.length).toBeGreaterThanOrEqual(['kuhn', 'leduc'].includes(definition.game.id) ? 4 : 6)
    expect(fullRepetitions === undefined || fullRepetitions > contest.format.repetitions).toBe(true)
  },
)
