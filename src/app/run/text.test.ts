import { beforeAll, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import type { Spell } from '../../core/index.js'
import { checkStoreText } from '../manage/check-store.js'
import { runOutcomeText, runTableText, tableOfRun } from './table.js'

const spell: Spell = (named) => ('command' in named ? `agon ${named.command}` : `--${named.option}`)
const place = new TestContest()
let played: Awaited<ReturnType<TestContest['play']>>
beforeAll(async () => {
  played = await place.play()
})

/** From the heading of the table to the line of faults, without where the rest of the opponents is. */
const tableIn = (text: string): string => /^ *#? .*Name[^]*^ +Lost: .*$/m.exec(text)?.[0] ?? text

it('prints the same table of a run that was just played and of one in the store', async () => {
  const outcome = runOutcomeText(played, 80)
  const table = runTableText(await tableOfRun({ contest: place.contest }, place.context), 80)
  expect(outcome).toMatch(/^Small: 3 matches in .*, seed /)
  expect(table).toMatch(/^Small: 3 matches, seed .* \(run [-\w]+\)$/m)
  expect(tableIn(outcome)).toMatch(/Strike[^]*Wait[^]*Lost[^]*Faults:/)
  expect(tableIn(table)).toBe(tableIn(outcome))
})

it('says of each damage what can be done about it', () => {
  const checked = { file: 'agon.db', runs: 1, matches: 3, findings: [] }
  expect(checkStoreText(checked)).toBe('agon.db: whole (1 run, 3 matches)')
  const damage = { what: 'a row is lost', mendable: true, mended: false }
  const text = (finding: typeof damage, copy?: string): string =>
    checkStoreText({ ...checked, findings: [finding], copy }, spell)
  expect(text(damage)).toMatch(/^agon\.db: a row is lost: agon store check --mend removes it, to be played again\n/)
  expect(text({ ...damage, mendable: false })).toMatch(/: agon export saves the runs that are whole; then put a copy/)
  expect(text({ ...damage, mended: true }, 'agon.db.before-mend-1')).toBe(
    'agon.db: a row is lost: removed, to be played again\n1 damage found (1 run, 3 matches)\n' +
      'agon run CONTEST --resume plays what is missing\nagon.db.before-mend-1 is the file as it was',
  )
})
