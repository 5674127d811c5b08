import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type GameDefinition, visible, isList } from '../core/index.js'
import { type Language, TEMPLATES, filled } from './languages.js'
import { type NewBotFacts, readme, rulesForModel, samplesOf } from './readme.js'

/** A new bot's files by name; it plays the first legal move. Throws what the game throws in a random game. */
export function botKit(
  definition: GameDefinition,
  language: Language,
  about: NewBotFacts,
): Readonly<Record<string, string>> {
  const samples = samplesOf(definition)
  const shape = shapeOf(samples.views)
  const parts = [...(shape.parts ?? [])].map(([key, part]) => ({
    key,
    type: typeText(part.shape),
    missing: part.missing,
    meaning: visible(definition.fields?.[key] ?? ''),
  }))
  const actions = Object.keys(definition.actions ?? {})
  const isWhole =
    actions.length > 0 &&
    samples.questions.every(({ legal }) => isList(legal) && legal.every((a) => actions.includes(a)))
  const fill: Readonly<Record<string, readonly string[]>> = {
    __TITLE__: [visible(definition.title).replaceAll('*/', '* /')],
    __FIELDS__: parts.map(({ key, type, meaning }) =>
      meaning === '' ? `${visible(key)}: ${type}` : `${visible(key)}: ${meaning}`,
    ),
    __TYPES__: parts.flatMap(({ key, type, missing, meaning }) => [
      ...(meaning === '' ? [] : [`/** ${meaning.replaceAll('*/', '* /')} */`]),
      `readonly ${propertyName(key)}${missing ? '?' : ''}: ${type}`,
    ]),
    ...(samples.questions.every(({ legal }) => isList(legal)) ? LISTED : SHAPED),
    __ACTION__: [isWhole ? actions.map((action) => JSON.stringify(action)).join(' | ') : 'string'],
  }
  return {
    ...(about.files ?? templates(language, fill)),
    ...(language.asksModel && { 'rules.md': rulesForModel(definition, about) }),
    'bot.toml': toml(language, about),
    'README.md': readme(definition, language, about, { ...samples, fields: parts }),
  }
}

function templates(language: Language, fill: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const folder = join(TEMPLATES, 'bots', language.folder)
  const files = readdirSync(folder).map(
    (file) => [file, filled(readFileSync(join(folder, file), 'utf8'), fill)] as const,
  )
  return Object.fromEntries(files)
}

/** What a module is given: all actions, or what describes them. */
const LISTED = {
  __IMPORT__: ['type { Bot }'],
  __BOT__: ['Bot<View, Action>'],
  __IDEA__: ['the first move that is legal; legal[chance.below(legal.length)]! is any of them.'],
  __MOVE__: ['legal[0]!'],
}
const SHAPED = {
  __IMPORT__: ['{ type Bot, type Legal, drawAction }'],
  __BOT__: ['Bot<View, Action, never, Legal>'],
  __IDEA__: ['any move that is legal.'],
  __MOVE__: ['drawAction(legal, chance.below)!'],
}

function toml({ name: language, start }: Language, { name }: NewBotFacts): string {
  const list = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(', ')}]`
  const how =
    'module' in start
      ? [`module = ${JSON.stringify(start.module)}`]
      : 'class' in start
        ? [`class = ${JSON.stringify(start.class)}`]
        : [
            ...(start.build === undefined ? [] : [`build = ${list(start.build)}`]),
            `command = ${list(start.command)}`,
            'wire = "jsonl"',
          ]
  return [
    `name = ${JSON.stringify(name)}`,
    ...how,
    `language = ${JSON.stringify(language)}`,
    'folder = "." # all that lies here belongs to it',
    '',
  ].join('\n')
}

/** What values of one place, seen together, look like. */
interface Shape {
  /** 'number', 'string', 'boolean', 'null'. */
  readonly plain: ReadonlySet<string>
  readonly items?: Shape
  /** Its parts' looks, if an object; `missing`: some lack it. */
  readonly parts?: ReadonlyMap<string, { readonly shape: Shape; readonly missing: boolean }>
}

export function shapeOf(values: readonly unknown[]): Shape {
  const plain = new Set<string>()
  const lists: (readonly unknown[])[] = []
  const objects: Readonly<Record<string, unknown>>[] = []
  for (const value of values) {
    if (value === null) plain.add('null')
    else if (Array.isArray(value)) lists.push(value)
    else if (typeof value === 'object') objects.push(value as Record<string, unknown>)
    else plain.add(typeof value)
  }
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const parts = keys.map((key) => {
    const owners = objects.filter((object) => Object.hasOwn(object, key))
    return [
      key,
      { shape: shapeOf(owners.map((object) => object[key])), missing: owners.length < objects.length },
    ] as const
  })
  return {
    plain,
    items: lists.length > 0 ? shapeOf(lists.flat()) : undefined,
    parts: objects.length > 0 ? new Map(parts) : undefined,
  }
}

/** A shape as a type of TypeScript, on one line. */
export function typeText({ plain, items, parts }: Shape): string {
  const each = items && typeText(items)
  const types = [
    ...(each === undefined ? [] : [`readonly ${each.includes(' ') && !each.startsWith('{') ? `(${each})` : each}[]`]),
    ...(parts === undefined ? [] : [`{ ${[...parts].map(partText).join('; ')} }`]),
    ...['number', 'string', 'boolean', 'null'].filter((name) => plain.has(name)),
  ]
  return types.length === 0 ? 'unknown' : types.join(' | ')
}

const partText = ([key, { shape, missing }]: readonly [string, { shape: Shape; missing: boolean }]): string =>
  `readonly ${propertyName(key)}${missing ? '?' : ''}: ${typeText(shape)}`

const propertyName = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))
