import { expect, it } from 'vitest'
import type { FormatSpec, Run } from '../../core/index.js'
import { entrantOf, runOf } from '../../../test/kit/records.js'
import { entrantChanges, tournamentOf } from './same.js'

const withFormat = (format: Partial<FormatSpec>): Run => {
  const run = runOf('one')
  return { ...run, contest: { ...run.contest, format: { ...run.contest.format, kind: 'ladder', ...format } } }
}

it('a contest stays the same where its matches come at another pace, and no other where more of them are played', () => {
  const keyOf = (format: Partial<FormatSpec>): string => tournamentOf(withFormat(format))
  expect(keyOf({ hourly: 100 })).toBe(keyOf({}))
  expect(keyOf({ hourly: 100 })).toBe(keyOf({ hourly: 200 }))
  expect(keyOf({ placing: 30 })).not.toBe(keyOf({}))
})

it('a run goes on with other entrants, which are named, and not by other rules', () => {
  const run = runOf('one')
  expect(entrantChanges(run, run)).toBeUndefined()
  const [ant, bee, ...others] = run.entrants
  const entrants = [entrantOf('Ant', { hash: 'another' }), ...others, entrantOf('New')]
  expect([ant?.name, entrantChanges(run, { ...run, entrants })]).toEqual([
    'Ant',
    { joined: ['New'], changed: ['Ant'], left: [bee?.name] },
  ])
  const other = { ...run, contest: { ...run.contest, maxFaults: 3, options: { turns: 1 } }, seed: 'other' }
  expect(() => entrantChanges(run, other)).toThrow(/results\/one cannot be resumed.*: seed, \[options\], /)
})
