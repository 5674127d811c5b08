import { z } from '@hono/zod-openapi'
import { zipOf } from '../files/zip.js'
import type { GameDefinition } from '../core/index.js'
import { houseBots } from '../contest/entries.js'
import { flagOf } from '../app/flag.js'
import { factsOfGame } from '../app/look/games.js'
import { KIT_LANGUAGES, starterKit } from '../app/manage/new.js'
import type { SiteContext } from './context.js'
import { respondWith, refusing, notFound } from './http/answers.js'
import { type Infer, get, list, paged, pages, said, object } from './http/route.js'

const gameSchema = object('Game', {
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  version: z.int(),
  seats: z.strictObject({ min: z.int(), max: z.int() }),
  options: z.record(z.string(), z.unknown()),
  wires: z.array(z.string()),
  wire: said(z.string(), 'of a command that names none'),
  house: said(z.array(z.string()), 'the bots that come with it'),
  actions: said(z.record(z.string(), z.string()), 'what each action means'),
})
export type Game = Infer<typeof gameSchema>

const rulesSchema = object('Rules', {
  text: said(z.string(), 'Markdown: what a program is sent and answers, with examples, and the rules'),
  kits: said(z.array(z.string()), 'languages of starter kits'),
  classKit: said(z.literal(true).optional(), 'there is one for a class of C++, too'),
})
export type Rules = Infer<typeof rulesSchema>

const gameOf = (definition: GameDefinition): Game => ({
  ...factsOfGame(definition),
  house: houseBots(definition).map(({ spec }) => spec.name),
  actions: definition.actions ?? {},
})

/** A game's rules and messages: those of the README of a new bot. */
function rulesOf(definition: GameDefinition): Rules {
  const readme = kitOf(definition, 'Python', false)['README.md'] ?? ''
  const hasClasses = Object.values(definition.wires ?? {}).some(({ shim }) => shim !== undefined)
  const text = readme.slice(Math.max(0, readme.indexOf('## What it is sent')))
  return { text, kits: [...KIT_LANGUAGES], classKit: hasClasses || undefined }
}

const kitOf = (definition: GameDefinition, language: string, isClass: boolean): Readonly<Record<string, string>> =>
  starterKit(definition, { game: definition.game.id, language, name: 'my-bot', isClass }, flagOf).files

export function gameRoutes({ games }: SiteContext) {
  const made = new Map<string, unknown>()
  /** What is made of a game, such as a kit, is made once. */
  function once<T>(id: string, what: string, make: (definition: GameDefinition) => T): T {
    const key = `${id} ${what}`
    const definition = games.find(({ game }) => game.id === id)
    if (definition === undefined) throw notFound('there is no such game here')
    if (!made.has(key)) made.set(key, make(definition))
    return made.get(key) as T
  }
  return [
    get('/games', {
      summary: 'The games that can be played here',
      query: pages,
      answer: list(gameSchema, 'Games'),
    }).handler(({ query }) => {
      const all = games.map(({ game }) => once(game.id, 'facts', gameOf))
      return paged(all, query)
    }),
    get('/games/{id}/rules', {
      summary: 'The rules of a game, and the messages of its bots with examples',
      answer: rulesSchema,
    }).handler(({ id }) => once(id, 'rules', rulesOf)),
    get('/games/{id}/kit', {
      summary: 'A starter kit: a bot that plays the first legal move, with all that its author needs, as a zip',
      query: z.object({
        language: said(z.enum(KIT_LANGUAGES as [string, ...string[]]), 'what it is written in'),
        class: said(z.literal('true').optional(), 'C++: a class that inherits the game’s own'),
      }),
      media: 'application/zip',
    }).handler(async ({ id, query: { language, class: isClass } }) => {
      const zip = await once(id, `kit ${language} ${isClass}`, (definition) => {
        const files = refusing(() => kitOf(definition, language, isClass !== undefined))
        return zipOf(Object.fromEntries(Object.entries(files).map(([file, text]) => [`my-bot/${file}`, text])))
      })
      const name = `${id}-${language.toLowerCase().replace(/\W/g, 'p')}.zip`
      return respondWith(new Uint8Array(zip), 'application/zip', name)
    }),
  ]
}
