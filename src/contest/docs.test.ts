import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contestOf } from '../../test/kit/contest.js'
import { contestSchema, entrantSchema } from './schema.js'
import { TomlFile } from './toml-file.js'

const page = readFileSync(new URL('../../docs/contest-file.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/```toml\n([^]*?)```/g)].map(([, text = '']) => text)

test('the examples of docs/contest-file.md are what they say', async () => {
  const [smallest = '', every = '', many = '', one = ''] = examples
  expect((await contestOf(smallest, 'c.toml')).entries).toHaveLength(2)
  expect((await contestOf(every, 'c.toml')).contest).toMatchObject({ title: 'Winter cup', options: { turns: 50 } })
  expect(new TomlFile(many, 'c.toml').as(contestSchema)).toEqual({ game: 'samurai', entrants: 'entries/*/bot.toml' })
  expect(new TomlFile(one, 'bot.toml').as(entrantSchema)).toMatchObject({ name: 'Heron' })
  expect(examples).toHaveLength(4)
})

test('every key of the schema is shown', () => {
  const shown = new TomlFile(examples[1] ?? '', 'c.toml').as(contestSchema)
  const keys = Object.keys(contestSchema.shape)
  expect(Object.keys(shown).sort()).toEqual([...keys].sort())
  const entrants = Array.isArray(shown.entrants) ? shown.entrants : []
  expect(new Set(entrants.flatMap((entrant) => Object.keys(entrant)))).toEqual(
    new Set(Object.keys(entrantSchema.shape)),
  )
})
