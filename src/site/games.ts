import { crc32 } from 'node:zlib'
import { z } from '@hono/zod-openapi'
import type { GameDefinition } from '../core/index.js'
import { houseBots } from '../contest/entries.js'
import { flagOf } from '../app/flag.js'
import { factsOfGame } from '../app/look/games.js'
import { KIT_LANGUAGES, starterKit } from '../app/manage/new.js'
import type { SiteContext } from './context.js'
import { respondWith, Refusal, refusing } from './http/answers.js'
import { type ApiRoute, type Infer, get, list, paged, pages, said, object } from './http/route.js'

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

const made = new WeakMap<GameDefinition, Map<string, unknown>>()
function onceOf<T>(definition: GameDefinition, key: string, make: () => T): T {
  const known = made.get(definition) ?? new Map<string, unknown>()
  made.set(definition, known)
  if (!known.has(key)) known.set(key, make())
  return known.get(key) as T
}

const gameOf = (definition: GameDefinition): Game =>
  onceOf(definition, 'game', () => ({
    ...factsOfGame(definition),
    house: houseBots(definition).map(({ spec }) => spec.name),
    actions: definition.actions ?? {},
  }))

/** A game's rules and messages: those of the README of a new bot. */
const rulesOf = (definition: GameDefinition): Rules =>
  onceOf(definition, 'rules', () => {
    const readme = kitOf(definition, 'Python', false)['README.md'] ?? ''
    const hasClasses = Object.values(definition.wires ?? {}).some(({ shim }) => shim !== undefined)
    const text = readme.slice(Math.max(0, readme.indexOf('## What it is sent')))
    return { text, kits: [...KIT_LANGUAGES], classKit: hasClasses || undefined }
  })

const kitOf = (definition: GameDefinition, language: string, isClass: boolean): Readonly<Record<string, string>> =>
  starterKit(definition, { game: definition.game.id, language, name: 'my-bot', isClass }, flagOf).files

/** A zip of texts by their paths, as they are. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const index: Buffer[] = []
  let at = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)]
    // From the version that reads it to the bytes of its name: the same in both places.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(UTF8, 2)
    facts.writeUInt16LE(FIRST_DAY, 8)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, name, data)
    const place = Buffer.alloc(14)
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    place.writeUInt32LE(at, 10)
    index.push(Buffer.from('PK\u0001\u0002\u0014\u0003', 'latin1'), facts, place, name)
    at += 4 + facts.length + name.length + data.length
  }
  const [kept, listed] = [Buffer.concat(parts), Buffer.concat(index)]
  const end = Buffer.alloc(18)
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(kept.length, 12)
  return Buffer.concat([kept, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

/** Names are UTF-8; and the first day that a zip can name. */
const UTF8 = 0x800
const FIRST_DAY = 0x21

export function gameRoutes({ games }: SiteContext): readonly ApiRoute[] {
  const gameById = (id: string): GameDefinition => {
    const found = games.find(({ game }) => game.id === id)
    if (found === undefined) throw new Refusal('unknown', 'there is no such game here')
    return found
  }
  return [
    get('/games', {
      summary: 'The games that can be played here',
      query: pages,
      answer: list(gameSchema, 'Games'),
    }).handler(({ query }) => paged(games.map(gameOf), query)),
    get('/games/{id}/rules', {
      summary: 'The rules of a game, and the messages of its bots with examples',
      answer: rulesSchema,
    }).handler(({ id }) => rulesOf(gameById(id))),
    get('/games/{id}/kit', {
      summary: 'A starter kit: a bot that plays the first legal move, with all that its author needs, as a zip',
      query: z.object({
        language: said(z.enum(KIT_LANGUAGES as [string, ...string[]]), 'what it is written in'),
        class: said(z.literal('true').optional(), 'C++: a class that inherits the game’s own'),
      }),
      media: 'application/zip',
    }).handler(({ id, query }) => {
      const definition = gameById(id)
      const isClass = query.class !== undefined
      const zip = onceOf(definition, `kit ${query.language} ${isClass}`, () => {
        const files = refusing(() => kitOf(definition, query.language, isClass))
        return zipOf(Object.fromEntries(Object.entries(files).map(([file, text]) => [`my-bot/${file}`, text])))
      })
      const name = `${definition.game.id}-${query.language.toLowerCase().replace(/\W/g, 'p')}.zip`
      return respondWith(new Uint8Array(zip), 'application/zip', name)
    }),
  ]
}
