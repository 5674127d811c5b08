import type { MatchRecord } from '../core/index.js'
import { Spread } from '../core/spread.js'
import { ByteReader, ByteWriter, BytesError } from './bytes.js'

/*
 * Theory of operation.
 *
 * A table, a ranking or a report asks little of each match, and that of all of them: who sat where, how it ended, whether another one
 * took the same course. To read it from rows and records takes microseconds a match, half a minute for a million. So a run has
 * it a second time, in segments of 128 matches, in the order in which they came to the run: a few bytes each, read at some millions a second.
 *
 * A segment grows at its end until it is full, one entry a match. A text (a word of a key's group, an outcome) stands in its entry the
 * first time, and later ones give its number. How long answers took is counted by entrant once a segment is full; of the last one,
 * which is not, the records have it.
 */

/** Matches of a full segment. */
export const FULL = 128

/** What a segment holds of a match. */
export interface SegmentEntry {
  /** The store's number of the match. */
  readonly match: number
  readonly key: string
  /** By seat: the entrant's index in the run. */
  readonly seats: readonly number[]
  /** As JSON, as it was recorded. */
  readonly outcome: string
  readonly playoff: boolean
  readonly facts: Facts
}

/** What only the record has of a match. */
export interface Facts {
  /** Steps. */
  readonly turns: number
  /** A digest of all that was answered, below 2⁵². */
  readonly course: number
  /** The same of the deal of luck. */
  readonly luck: number
}

/** What an entry has as numbers and texts: the key's group and, where a number follows its last slash, that. */
export interface Parts extends Facts {
  readonly match: number
  readonly group: string
  readonly number: number | undefined
  readonly seats: readonly number[]
  readonly outcome: string
  readonly playoff: boolean
}

/** By entrant: how long its answers took, in microseconds. */
export type Times = ReadonlyMap<number, Spread>

/** The first byte of a segment and of its times: the number of this form. */
const FORM = 0

/** Writes a segment, entry by entry. A key's group is written in words: the names in it come again and again, in other pairs. */
export class SegmentWriter {
  games = 0
  private readonly bytes = new ByteWriter()
  private readonly groups = new Map<string, number>()
  private readonly words = new Map<string, number>()
  private readonly outcomes = new Map<string, number>()
  private last = 0

  constructor() {
    this.bytes.byte(FORM)
  }

  /** The writer of a segment that is not full, as it was left. Throws a BytesError where it is damaged. */
  static from(data: Uint8Array): SegmentWriter {
    // What is written while the texts are learnt is dropped for what is there.
    const writer = new SegmentWriter()
    eachEntry(data, ({ match, group, outcome }) => {
      writer.last = match
      writer.group(group)
      writer.text(writer.outcomes, outcome)
      writer.games++
    })
    writer.bytes.clear()
    writer.bytes.append(data)
    return writer
  }

  add({ match, key, seats, outcome, playoff, facts }: SegmentEntry): void {
    const { bytes } = this
    const [group, number] = splitKey(key)
    bytes.difference(match - this.last)
    this.last = match
    this.group(group)
    bytes.number(number === undefined ? 0 : number + 1)
    bytes.number(seats.length)
    for (const entrant of seats) bytes.number(entrant + 1)
    this.text(this.outcomes, outcome)
    bytes.number(2 * facts.turns + (playoff ? 1 : 0))
    bytes.sum(facts.course)
    bytes.sum(facts.luck)
    this.games++
  }

  /** A copy of what was written. */
  data(): Buffer {
    return Buffer.from(this.bytes.written())
  }

  private group(group: string): void {
    const at = this.groups.get(group)
    this.bytes.number(at === undefined ? 0 : at + 1)
    if (at !== undefined) return
    this.groups.set(group, this.groups.size)
    let from = 0
    for (let end = 0; end <= group.length; end++) {
      const after = end === group.length ? 0 : BETWEEN.indexOf(group[end] as string) + 1
      if (after === 0 && end < group.length) continue
      this.word(group.slice(from, end), after)
      from = end + 1
    }
  }

  /** A word of a group, and which character stands behind it; 0: the group ends. */
  private word(word: string, after: number): void {
    const at = this.words.get(word)
    this.bytes.number((at === undefined ? 0 : at + 1) * (BETWEEN.length + 1) + after)
    if (at !== undefined) return
    this.words.set(word, this.words.size)
    this.bytes.text(word)
  }

  private text(known: Map<string, number>, text: string): void {
    const at = known.get(text)
    this.bytes.number(at === undefined ? 0 : at + 1)
    if (at !== undefined) return
    known.set(text, known.size)
    this.bytes.text(text)
  }
}

/** What stands between the words of a group. */
const BETWEEN = '/-'

/** A key's last number, of those that are written in one way only. */
function splitKey(key: string): readonly [group: string, number: number | undefined] {
  const slash = key.lastIndexOf('/')
  const tail = key.slice(slash + 1)
  const number = Number(tail)
  return slash >= 0 && Number.isSafeInteger(number) && number >= 0 && String(number) === tail
    ? [key.slice(0, slash), number]
    : [key, undefined]
}

/** The key that was split. */
export const keyOf = ({ group, number }: Pick<Parts, 'group' | 'number'>): string =>
  number === undefined ? group : `${group}/${number}`

/** Reads a segment, entry by entry. Throws a BytesError where it is damaged. */
export function eachEntry(data: Uint8Array, take: (parts: Parts) => void): void {
  const bytes = readerOf(data)
  const groups: string[] = []
  const words: string[] = []
  const outcomes: string[] = []
  let match = 0
  while (!bytes.done) {
    match += bytes.difference()
    const group = groupOf(bytes, groups, words)
    const number = bytes.number()
    const seats = numbers(bytes)
    const outcome = text(bytes, outcomes)
    const turns = bytes.number()
    take({
      match,
      group,
      number: number === 0 ? undefined : number - 1,
      seats,
      outcome,
      playoff: turns % 2 === 1,
      turns: Math.floor(turns / 2),
      course: bytes.sum(),
      luck: bytes.sum(),
    })
  }
}

/** The reader of what stands behind the first byte. Throws a BytesError where that is another form's. */
function readerOf(data: Uint8Array): ByteReader {
  const bytes = new ByteReader(data)
  if (bytes.byte() !== FORM) throw new BytesError('another form')
  return bytes
}

function numbers(bytes: ByteReader): number[] {
  const list: number[] = []
  for (let left = bytes.number(); left > 0; left--) list.push(bytes.number() - 1)
  return list
}

function groupOf(bytes: ByteReader, groups: string[], words: string[]): string {
  const at = bytes.number()
  if (at > 0) return known(groups, at)
  let group = ''
  for (;;) {
    const number = bytes.number()
    const after = number % (BETWEEN.length + 1)
    const place = Math.floor(number / (BETWEEN.length + 1))
    const word = place > 0 ? known(words, place) : bytes.text()
    if (place === 0) words.push(word)
    group += word
    if (after === 0) break
    group += BETWEEN[after - 1]
  }
  groups.push(group)
  return group
}

function known(texts: readonly string[], place: number): string {
  const text = texts[place - 1]
  if (text === undefined) throw new BytesError('a text that is not there')
  return text
}

function text(bytes: ByteReader, texts: string[]): string {
  const at = bytes.number()
  if (at > 0) return known(texts, at)
  const fresh = bytes.text()
  texts.push(fresh)
  return fresh
}

/** Adds the times of a match's answers. `seats`: by seat the entrant. */
export function addTimes(times: Map<number, Spread>, { steps, times: taken }: MatchRecord, seats: readonly number[]) {
  if (taken === undefined) return
  const spreads = seats.map((entrant) => {
    const spread = times.get(entrant) ?? new Spread()
    times.set(entrant, spread)
    return spread
  })
  for (let number = 0; number < taken.length; number++) {
    const step = taken[number] as (typeof taken)[number]
    const asked = steps[number]
    for (let i = 0; i < step.length; i++) {
      const seat = asked?.[i]?.[0]
      if (seat !== undefined) spreads[seat]?.add((step[i] as readonly [number])[0])
    }
  }
}

/**
 * Times as bytes: of each entrant the greatest, and its classes in order with their counts. A class takes one byte: how far it lies after the
 * last one, and its count, of four bits each. Where they need more, the byte is 0 and two numbers follow.
 */
export function timesData(times: Times): Buffer {
  const bytes = new ByteWriter()
  bytes.byte(FORM)
  for (const [entrant, spread] of [...times].sort(([a], [b]) => a - b)) {
    const classes = spread.classes()
    bytes.number(entrant + 1)
    bytes.number(Math.round(spread.max))
    bytes.number(classes.length)
    let last = 0
    for (const [at, count] of classes) {
      const step = at - last
      last = at
      if (step < 16 && count > 0 && count < 16) bytes.byte(16 * step + count)
      else {
        bytes.byte(0)
        bytes.number(step)
        bytes.number(count)
      }
    }
  }
  return Buffer.from(bytes.written())
}

/** Adds the times that stand there. Throws a BytesError where they are damaged. */
export function readTimes(data: Uint8Array, times: Map<number, Spread>): void {
  const bytes = readerOf(data)
  while (!bytes.done) {
    const entrant = bytes.number() - 1
    const spread = times.get(entrant) ?? new Spread()
    times.set(entrant, spread)
    spread.max = Math.max(spread.max, bytes.number())
    let at = 0
    for (let left = bytes.number(); left > 0; left--) {
      const both = bytes.byte()
      at += both > 0 ? both >> 4 : bytes.number()
      spread.addClass(at, both > 0 ? both & 15 : bytes.number())
    }
  }
}
