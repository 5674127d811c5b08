import { expect, test } from 'vitest'
import { games } from '../games/index.js'
import { botKit, shapeOf, typeText } from './bot-kit.js'
import { LANGUAGES, filled, languageNamed } from './languages.js'
import { samplesOf } from './readme.js'

const about = { name: 'Kestrel', game: 'x', opponents: ['Dice'], rules: '# The title\n\n## One\n\n1.1 A rule.\n' }

const named = (id: string) => games.find(({ game }) => game.id === id) as (typeof games)[number]

test.each(LANGUAGES.map((language) => [language.name, language] as const))('a bot in %s is whole', (_, language) => {
  const definition = named('samurai')
  const files = botKit(definition, language, about)
  expect(Object.keys(files)).toEqual(expect.arrayContaining([language.bot, language.wire, 'bot.toml', 'README.md']))
  for (const text of Object.values(files)) expect(text).not.toMatch(/__(TITLE|FIELDS|TYPES|ACTION)__|undefined/)
  for (const key of Object.keys(definition.fields ?? {})) expect(files[language.bot]).toContain(`${key}: `)
})

test.each(games.map(({ game }) => game.id))(
  'the README of a bot of %s has each part of its view, each question, the rules',
  (id) => {
    const definition = named(id)
    const text = botKit(definition, languageNamed('perl'), about)['README.md'] ?? ''
    const { questions, views } = samplesOf(definition)
    const keys = new Set(views.flatMap((view) => Object.keys(view as object)))
    // A game describes all parts of its views, and nothing else.
    expect(Object.keys(definition.fields ?? {}).sort()).toEqual([...keys].sort())
    for (const key of keys) expect(text).toContain(`| \`${key}\` | `)
    for (const { kind, view } of questions) {
      expect(text).toContain(`"view":${JSON.stringify(view)},"legal":[`)
      if (kind !== '') expect(text).toContain(`**${kind}**`)
    }
    expect(text).toMatch(/^## The rules\n\n### One\n\n1\.1 A rule\.$/m)
  },
)

test('all kinds of questions that a game can ask are found', () => {
  const kinds = (id: string): number => samplesOf(named(id)).questions.length
  // RULES.md of coup, section 3: an action, foreign aid, a claim, a steal, an assassination, a block, a challenge, a
  // loss, a turn's end; and an exchange.
  expect([kinds('coup'), kinds('negotiate'), kinds('samurai')]).toEqual([10, 2, 1])
})

test('a language is known by its name in any case, and by what people call it', () => {
  expect(['PYTHON', 'js', 'cpp', 'Sh', 'golang'].map((word) => languageNamed(word).name)).toEqual([
    'Python',
    'JavaScript',
    'C++',
    'shell',
    'Go',
  ])
  expect(() => languageNamed('pyhton')).toThrow('(did you mean "Python"?); there are Python, JavaScript,')
})

test('a placeholder of several lines repeats what stands around it', () => {
  expect(filled('a\n  // __X__ !\nb', { __X__: ['1', '2'] })).toBe('a\n  // 1 !\n  // 2 !\nb')
})

test.each([
  [[1, 2], 'number'],
  [['a', null], 'string | null'],
  [[[], [1]], 'readonly number[]'],
  [[[[1, 2]], [['x']]], 'readonly (readonly (number | string)[])[]'],
  [[{ a: 1 }, { a: 2, b: true }], '{ readonly a: number; readonly b?: boolean }'],
  [[[{ a: [1] }]], 'readonly { readonly a: readonly number[] }[]'],
  [[{ 'a-b': 1 }], '{ readonly "a-b": number }'],
  [[[]], 'readonly unknown[]'],
])('%j is of type %s', (values, type) => expect(typeText(shapeOf(values))).toBe(type))
