import { describe, expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { contestOf } from '../../test/kit/contest.js'

const entrant = (name: string, author?: string) =>
  `[[entrants]]\nname = "${name}"\ncommand = "sh ${name}"\n${author === undefined ? '' : `author = "${author}"\n`}`
const contest = (most: number, ...entrants: string[]) =>
  contestOf(`game = "samurai"\nentries_per_author = ${most}\n${entrants.join('')}`, '/c/c.toml')

describe('a cap of entrants a person', () => {
  it('is kept, and an author over it is reported with the entrants and the line', async () => {
    const three = [
      entrant('One', 'Ann Lee'),
      entrant('Other', 'Bob'),
      entrant('Two', 'ann  lee'),
      entrant('Three', 'Ann Lee'),
    ]
    const error: unknown = await contest(2, ...three).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    expect((error as UserError).message).toBe(
      '/c/c.toml:18: "Ann Lee" has 3 entrants ("One", "Two", "Three"), and entries_per_author allows 2: leave 1 of them out',
    )
    const { contest: taken } = await contest(3, ...three)
    expect(taken.entriesPerAuthor).toBe(3)
    expect(taken.entrants.map(({ author }) => author)).toEqual(['Ann Lee', 'Bob', 'ann  lee', 'Ann Lee'])
  })

  it('counts neither house bots nor who names no author', async () => {
    const { contest: taken } = await contest(
      1,
      ...['Dice', 'Hedgehog', 'Abacus'].map((name) => `[[entrants]]\nhouse = "${name}"\n`),
      entrant('One'),
      entrant('Two'),
      entrant('Three', 'Ann'),
    )
    expect(taken.entrants).toHaveLength(6)
  })

  it('is a whole number, and a house bot has the author that it has', async () => {
    await expect(contest(0, entrant('One'), entrant('Two'))).rejects.toThrow(
      'entries_per_author = 0 must be a whole number, 1 or more',
    )
    await expect(contest(1, '[[entrants]]\nhouse = "Dice"\nauthor = "Ann"\n', entrant('One'))).rejects.toThrow(
      'leave author out',
    )
  })
})
