import { expect, it } from 'vitest'
import { playScored } from '../../../test/kit/scored-run.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { excludeEntrant } from './rulings.js'
import { rankRun, rankText } from '../compare/rank.js'
import { runContest } from '../run/run.js'
import { tableOfRun } from '../run/table.js'

const LOST = { status: 'withdrawn', treatment: 'lost', why: '' } as const
const place = new TestContest()
const wished = (name: string) => ({ out: place.path(name), trust: true, jobs: 1, timed: 1 })

it.each([
  ['groups', 'size = 2', ['Strike', 'Wait', 'Lost']],
  ['heats', 'size = 2', ['Strike', 'Wait', 'Lost']],
  ['free-for-all', '', ['Strike', 'Wait']],
])(
  'matches of %s cannot be lost unplayed: the others would win what they have not played',
  async (kind, more, names) => {
    const entrants = names.map((name) => `[[entrants]]\nname = "${name}"\nmodule = "${name.toLowerCase()}.js"\n`)
    const contest = place.write(
      `${kind}.toml`,
      `game = "samurai"\n[options]\nturns = 6\nhealth = 1\n[format]\nkind = "${kind}"\n${more}\n${entrants.join('')}`,
    )
    await runContest(contest, wished(kind), place.context, () => undefined)
    await expect(excludeEntrant({ contest, name: 'Wait', ...LOST }, place.context)).rejects.toThrow(
      'needs matches of two: here several opponents would win a match that was not played',
    )
    const { exclusions } = await tableOfRun({ contest }, place.context)
    expect(exclusions).toEqual([])
    const out = await excludeEntrant({ contest, name: 'Wait', ...LOST, treatment: 'void' }, place.context)
    expect(out.name).toBe('Wait')
  },
)

it('where all matches are void nothing is ranked, and the cause is named', async () => {
  const contest = place.write(
    'two.toml',
    'game = "samurai"\n[options]\nturns = 6\n[format]\nkind = "round-robin"\n[[entrants]]\nname = "Wait"\nmodule = "wait.js"\n[[entrants]]\nname = "Lost"\nmodule = "lost.js"\n',
  )
  await runContest(contest, wished('two'), place.context, () => undefined)
  await excludeEntrant({ contest, name: 'Wait', ...LOST, treatment: 'void' }, place.context)
  await expect(rankRun({ contest }, { rules: ['points'] }, place.context)).rejects.toThrow(
    /^no match of the run .* counts: in all 1 played entrants that were withdrawn or disqualified since$/,
  )
})

it('where scores count a lost match has none: it is refused until settled, and not elsewhere', async () => {
  const { contest } = await playScored(place, '')
  const settled = { ...wished('settled'), untilSettled: 1, budget: 12 }
  await runContest(contest, settled, place.context, () => undefined)
  const lost = { contest, name: 'Coin', ...LOST }
  await expect(excludeEntrant(lost, place.context)).rejects.toThrow(
    'a lost match has no score, and here places are settled by scores',
  )
  await runContest(contest, wished('plain'), place.context, () => undefined)
  await excludeEntrant(lost, place.context)
  const ranked = await rankRun({ contest }, { rules: ['points'] }, place.context)
  expect(rankText(ranked, 200)).toMatch(/^# +Name +Mean score +95 % interval/m)
})
