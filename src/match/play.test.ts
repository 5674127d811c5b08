import {
  type AnyWire,
  type Game,
  type GameDefinition,
  type BotOutput,
  type Player,
  type Question,
  canonical,
  isFault,
  newLuck,
  pick,
  listed,
} from '../core/index.js'
import { describe, expect, test } from 'vitest'
import { digestOf, digestOfAll } from './digest.js'
import { RecordError, judge, walk } from './judge.js'
import { type Setting, playMatch } from './play.js'
import { formatRecord, parseRecord } from './text.js'

interface State {
  readonly secrets: readonly number[]
  readonly numbers: readonly string[]
  readonly turns: number
}
interface View {
  readonly own: { readonly secret: number }
  readonly turn: number
}
/** Each is dealt a secret; the only one to say its own wins, after two turns at the latest. A fault says nothing. */
const game: Game<State, string, View, { turns: number }> = {
  id: 'secrets',
  version: 3,
  seats: { min: 2, max: 2 },
  options: { turns: 2 },
  refuse: ({ turns }) => (turns > 0 ? undefined : 'turns has to be positive'),
  setup: (seats, { turns }, luck) => {
    if (turns === 13) throw new RangeError('unlucky')
    const [first, left] = pick(luck, [1, 2, 3])
    return { secrets: [first, pick(left, [1, 2, 3])[0]].slice(0, seats), numbers: [], turns }
  },
  toMove: (state) => (state.numbers.length < 2 * state.turns ? [0, 1] : []),
  view: ({ secrets, numbers }, seat) => ({ own: { secret: secrets[seat] ?? 0 }, turn: numbers.length / 2 }),
  legal: () => ['1', '2', '3'],
  play: (state, moves) => ({
    ...state,
    numbers: [...state.numbers, ...moves.map((move) => (move === undefined || isFault(move) ? '-' : move))],
  }),
  outcome: (state) => {
    if (state.numbers.length < 2 * state.turns) return undefined
    const right = [0, 1].map(
      (seat) => state.numbers.filter((number, i) => i % 2 === seat && number === String(state.secrets[seat])).length,
    )
    const [a = 0, b = 0] = right
    return { place: a === b ? [1, 1] : a > b ? [1, 2] : [2, 1], reason: 'over', tally: { right } }
  },
}
const wire: AnyWire = {
  transport: 'lines',
  summary: '',
  limits: { ready: 70, turn: 30 },
  ready: { at: 'match', within: 'ready', expects: 'say yes', ok: (output) => output.out === 'yes' },
  start: (_, me) => ({ lines: [`start ${me.seat} of ${me.field}`] }),
  ask: (view) => ({ lines: [JSON.stringify(view)] }),
  read: (output) => output.out || { fault: 'silent', why: 'nothing' },
  update: (view) => ((view as View).turn === 1 ? undefined : { lines: ['update'] }),
  end: (_, outcome, me) => ({ lines: [`end ${outcome.place[me.seat]}`] }),
}
const definition = { game, title: '', summary: '', wires: { plain: wire } } as unknown as GameDefinition

/** A player that answers so; what happened to it is written down. */
function player(answer: (question: Question) => BotOutput, yes: BotOutput = { out: 'yes' }) {
  const log: string[] = []
  const lines = (input: { lines?: readonly string[] } | undefined): string => (input?.lines ?? []).join()
  const one: Player & { log: string[] } = {
    log,
    begin: async (key) => void log.push(`begin ${key}`),
    ready: async (_, limit) => (log.push(`ready ${limit}`), { output: yes, wallUs: 1 }),
    send: (input) => void log.push(lines(input)),
    ask: async (question) => (
      log.push(`${question.number} ${question.limit} ${lines(question.input)}`),
      { output: answer(question), wallUs: 12.6 }
    ),
    dismiss: () => void log.push('dismissed'),
    end: async () => void log.push('ended'),
  }
  return one
}
const secretOf = ({ view }: Question): BotOutput => ({ out: String((view as View).own.secret) })

function setting(players: readonly Player[], more: Partial<Setting> = {}): Setting {
  const seats = ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: 'plain', id }))
  const luck = { seed: '', at: 0, tape: [2, 3] }
  return {
    definition,
    players,
    fixture: { agon: 1, key: 'k', game: 'secrets', version: 3, options: { turns: 2 }, luck, field: 9, seats },
    ...more,
  }
}

describe('a match', () => {
  test('lets other work of the process go on after each of its steps', async () => {
    let [given, done] = [0, 0]
    const yieldControl = async (): Promise<void> => {
      given++
      await new Promise((next) => setImmediate(next))
      done++
    }
    const { fixture } = setting([])
    const long = { ...fixture, options: { turns: 300 } }
    await playMatch(setting([player(secretOf), player(secretOf)], { fixture: long, yieldControl }))
    expect([given, done]).toEqual([300, 300])
  })

  /** Without readiness, which always has to be waited for. */
  const { ready: _, ...atOnce } = wire
  const waitless = { game, title: '', summary: '', wires: { plain: atOnce } } as unknown as GameDefinition

  test('waits for nothing where its players do everything at once: others in the process come after it', async () => {
    const log: string[] = []
    const at = (name: string): Player => ({
      begin: () => void log.push(name),
      ready: () => Promise.reject(new Error('it is not asked')),
      send: () => void log.push(name),
      ask: (question) => (log.push(name), { output: secretOf(question), wallUs: 1 }),
      dismiss: () => undefined,
      end: () => void log.push(name),
    })
    const play = (name: string) => playMatch(setting([at(name), at(name)], { definition: waitless }))
    await Promise.all([play('one'), play('other')])
    const [first, second] = [log.slice(0, log.length / 2), log.slice(log.length / 2)]
    expect([new Set(first), new Set(second)]).toEqual([new Set(['one']), new Set(['other'])])
  })

  test('sends the start to all at the same time, and updates one after the other, where that takes a while', async () => {
    const log: string[] = []
    const at = (seat: number): Player => ({
      ...player(secretOf),
      send: async ({ lines: [line = ''] = [] }) => {
        log.push(`${seat} ${line}`)
        await new Promise((done) => setTimeout(done, 2))
        log.push(`${seat} done`)
      },
    })
    await playMatch(setting([at(0), at(1)], { definition: waitless }))
    const ends = ['0 end 1', '1 end 1', '0 done', '1 done']
    const starts = ['0 start 0 of 9', '1 start 1 of 9', '0 done', '1 done']
    expect(log).toEqual([...starts, '0 update', '0 done', '1 update', '1 done', ...ends])
  })

  test('sends everything in its order, to each seat its own, and keeps the outputs', async () => {
    const [ant, bee] = [player(secretOf), player(() => ({ out: '1' }))]
    const record = await playMatch(setting([ant, bee]))
    expect(ant.log).toEqual([
      'begin k',
      'ready 70',
      'start 0 of 9',
      '0 30 {"own":{"secret":2},"turn":0}',
      '1 30 {"own":{"secret":2},"turn":1}',
      'update',
      'end 1',
      'ended',
    ])
    // What is hidden from a seat is in nothing that it is sent.
    expect(bee.log.join()).not.toContain('"secret":2')
    expect(record).toMatchObject({
      ready: [
        [0, { out: 'yes' }],
        [1, { out: 'yes' }],
      ],
      steps: [
        [
          [0, '2'],
          [1, '1'],
        ],
        [
          [0, '2'],
          [1, '1'],
        ],
      ],
      times: [
        [[13], [13]],
        [[13], [13]],
      ],
    })
    expect(record.outcome).toEqual({ place: [1, 2], reason: 'over', tally: { right: [2, 0] } })
  })

  test("the contest's limits go before the wire's", async () => {
    const ant = player(secretOf)
    await playMatch(setting([ant, player(secretOf)], { limits: { turn: 7, ready: 8 } }))
    expect(ant.log.slice(1, 4)).toEqual(['ready 8', 'start 0 of 9', '0 7 {"own":{"secret":2},"turn":0}'])
  })

  test.each<[string, BotOutput, string]>([
    ['late', { trouble: 'timeout', why: 'no whole line within 70 ms' }, 'timeout'],
    ['gone', { trouble: 'crash', why: 'ended with exit code 1' }, 'crash'],
    ['saying something else', { out: 'no' }, 'unparsable'],
  ])('a seat that is %s instead of ready is dismissed, is not asked, and owes every move', async (_, yes, fault) => {
    const [ant, bee] = [player(secretOf), player(secretOf, yes)]
    const record = parseRecord(formatRecord(await playMatch(setting([ant, bee]))))
    expect(bee.log).toEqual(['begin k', 'ready 70', 'dismissed', 'start 1 of 9', 'update', 'end 2', 'ended'])
    const { faults, moves } = judge(definition, record)
    expect(faults.map((one) => [one.seat, one.turn, one.fault])).toEqual([
      [1, 0, fault],
      [1, 1, fault],
    ])
    expect(faults[0]?.why).toBe(`was not ready: ${yes.why ?? 'expected to say yes'}`)
    expect(moves.map(([move]) => move)).toEqual(['2', '2'])
  })

  test('an action that is not legal is a fault, with what was said', async () => {
    const record = await playMatch(setting([player(() => ({ out: '9' })), player(() => ({ out: '' }))]))
    expect(judge(definition, record).moves[0]).toEqual([
      { fault: 'illegal', why: 'not among the legal actions', said: '9' },
      { fault: 'silent', why: 'nothing' },
    ])
  })

  test('views are frozen through and through, and steps can be watched', async () => {
    const seen: unknown[] = []
    const steps: unknown[] = []
    const ant = player(
      ({ view }) => (seen.push(Object.isFrozen(view), Object.isFrozen((view as View).own)), { out: '1' }),
    )
    await playMatch(
      setting([ant, player(secretOf)], { onStep: ({ number, moves }) => void steps.push([number, ...moves]) }),
    )
    expect(seen).toEqual([true, true, true, true])
    expect(steps).toEqual([
      [0, '1', '3'],
      [1, '1', '3'],
    ])
  })

  test('what is nested in a view is frozen, too, and what was frozen by the game is looked into no more', async () => {
    const rows = [[1, 2], [{ deep: [3] }], null] as const
    const nested = {
      ...definition,
      game: { ...definition.game, view: () => ({ turn: 0, rows, done: Object.freeze({}) }) },
    }
    const loose: unknown[] = []
    const look = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return
      if (!Object.isFrozen(part)) loose.push(part)
      Object.values(part).forEach(look)
    }
    const ant = player(({ view }) => (look(view), { out: '1' }))
    await playMatch(setting([ant, player(() => ({ out: '1' }))], { definition: nested as unknown as GameDefinition }))
    expect(loose).toEqual([])
    expect(Object.isFrozen(rows[1][0].deep)).toBe(true)
  })

  test('the legal actions of a view are worked out once, for the bot and for judging its answer', async () => {
    let looks = 0
    const legal = (): readonly string[] => (looks++, ['1', '2', '3'])
    const counted = { ...definition, game: { ...definition.game, legal } }
    const seats = (own: string): Partial<Setting> => ({
      definition: counted,
      fixture: { ...setting([]).fixture, seats: ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: own, id })) },
    })
    const wants = player(({ view, legal: those }) => ({ out: listed(those?.(view) ?? [])[0] ?? '' }))
    const module = await playMatch(setting([wants, player(() => ({ out: '9' }))], seats('module')))
    // Each of four answers, two of which are no action.
    expect(looks).toBe(4)
    expect(judge(counted, module).moves[0]?.[1]).toMatchObject({ fault: 'illegal', said: '9' })
    looks = 0
    const reads = player(({ input }) => {
      const asked = JSON.parse(input.lines?.[0] ?? '') as { readonly legal: readonly string[] }
      return { out: JSON.stringify({ action: asked.legal[2] }) }
    })
    const jsonl = await playMatch(setting([reads, reads], seats('jsonl')))
    expect(looks).toBe(4)
    expect(judge(counted, jsonl).moves).toEqual([
      ['3', '3'],
      ['3', '3'],
    ])
  })

  test('a game of its own file ends the match where it gives more than it may: the function, the seat, the turn, the luck', async () => {
    const withGame = (part: Partial<GameDefinition['game']>): Promise<unknown> =>
      playMatch(
        setting([player(secretOf), player(secretOf)], {
          file: 'mine.ts',
          definition: { ...definition, game: { ...definition.game, ...part } },
        }),
      )
    const many = Array.from({ length: 100_001 }, (_, i) => String(i))
    await expect(withGame({ legal: () => many })).rejects.toThrow(
      /^the game secrets \(mine\.ts\) breaks its own rules: legal\(\) gives seat 0 100,001 actions, and may give 100,000: .* \(in turn 1; luck ""\)$/,
    )
    const grown = (state: unknown, ...[moves]: [never]): unknown => ({
      ...(definition.game.play(state, moves) as object),
      all: 'x'.repeat(2 ** 24),
    })
    await expect(withGame({ play: grown })).rejects.toThrow(
      /: play\(\) gives a state of 16,777,\d\d\d characters as JSON, and may give 16,777,216: .* \(in turn 1; luck ""\)$/,
    )
  })

  test('a module is shown no list that it could change: the referee keeps its own', async () => {
    const board = [3, 1, 2]
    const listing = { ...definition, game: { ...definition.game, view: () => ({ board }) } }
    const fixture = setting([]).fixture
    const seats = ['Ant', 'Bee'].map((entrant, id) => ({ entrant, wire: 'module', id }))
    const seen: unknown[] = []
    const observe: Setting['onStart'] = (match) => match.observe(0, (event) => seen.push(event))
    await playMatch(
      setting([player(() => ({ out: '1' })), player(() => ({ out: '1' }))], {
        definition: listing as unknown as GameDefinition,
        fixture: { ...fixture, seats },
        onStart: observe,
      }),
    )
    const [began] = seen as { view: { board: readonly number[] } }[]
    expect(began?.view).toEqual({ board: [3, 1, 2] })
    expect(Object.isFrozen(began?.view.board)).toBe(true)
    expect(Object.isFrozen(board)).toBe(false)
  })

  test('nothing is waited for between the questions to players that answer at once', async () => {
    let [asked, waited] = [0, 0]
    const quick: Player = {
      begin: () => undefined,
      ready: async () => ({ output: { out: 'yes' }, wallUs: 0 }),
      send: () => undefined,
      ask: () => {
        if (asked++ === 0) queueMicrotask(() => waited++)
        return { output: { out: String(1 + waited) }, wallUs: 1 }
      },
      dismiss: () => undefined,
      end: () => undefined,
    }
    const unready: AnyWire = { ...wire, transport: 'module', update: () => undefined }
    delete (unready as { ready?: unknown }).ready
    delete (unready as { start?: unknown }).start
    const silent = { ...definition, wires: { plain: unready } }
    const record = await playMatch(setting([quick, quick], { definition: silent }))
    expect([asked, record.steps.flat().map(([, out]) => out)]).toEqual([4, ['1', '1', '1', '1']])
  })

  test('where a player or the game throws the match is void, and every player is informed that it is over', async () => {
    const [ant, bee] = [
      player(() => {
        throw new Error('ours')
      }),
      player(secretOf),
    ]
    await expect(playMatch(setting([ant, bee]))).rejects.toThrow('ours')
    expect([ant.log.at(-1), bee.log.at(-1)]).toEqual(['ended', 'ended'])
  })
})

describe('a record that is judged again', async () => {
  const record = await playMatch(setting([player(secretOf), player(() => ({ out: '1' }))]))
  const text = formatRecord(record)
  const changed = (change: object): ReturnType<typeof parseRecord> =>
    parseRecord(JSON.stringify({ ...record, ...change }))

  test('comes to the same, also from its text', () => {
    expect(parseRecord(text)).toEqual(record)
    expect(judge(definition, parseRecord(text)).outcome).toEqual(record.outcome)
  })

  test('may be an older one, which tells who drew nothing: its digest is the same', () => {
    const older = changed({ undrawn: [1] })
    expect(digestOf(older, judge(definition, older))).toBe(digestOf(record, judge(definition, record)))
  })

  test.each<[string, object, string]>([
    ['too short', { steps: record.steps.slice(1) }, 'the match is not over after 1 steps'],
    ['too long', { steps: [...record.steps, ...record.steps] }, 'the match was over after 2 steps, the record has 4'],
    ['of others', { steps: [[[1, '1']], record.steps[1]] }, 'step 1: seats 0 1 were due, the record has 1'],
    ['of another version', { version: 2 }, 'the record is of version 2 of secrets, this agon has version 3'],
    [
      'of an unknown wire',
      { seats: record.seats.map((seat) => ({ ...seat, wire: 'toString' })) },
      "secrets has no wire 'toString'; it has plain, jsonl, module",
    ],
    ['of too many', { seats: [...record.seats, ...record.seats] }, 'secrets has 2 seats, not 4'],
    ['of options that are refused', { options: { turns: 0 } }, 'its options: turns has to be positive'],
    ['of options at which the game fails', { options: { turns: 13 } }, 'the game cannot follow the setup: unlucky'],
    [
      'of luck that cannot be',
      { luck: { ...record.luck, tape: [7] } },
      'the game cannot follow the setup: the tape tells 7 at 0, but the choice is [1,2,3]',
    ],
  ])('cannot be followed where it is %s', (_, change, message) => {
    expect(() => judge(definition, changed(change))).toThrow(new RecordError(message))
  })

  test('has a digest of all but its times and the words beside a fault, whatever the order of keys and records', () => {
    const digest = (of: typeof record): string => digestOf(of, judge(definition, of))
    const backwards = Object.fromEntries(Object.entries(record).reverse()) as unknown as typeof record
    expect(digest(backwards)).toBe(digest(record))
    expect(digest(changed({ times: undefined }))).toBe(digest(record))
    const late = (why: string): typeof record =>
      changed({
        steps: [
          [
            [0, { trouble: 'timeout', why }],
            [1, '1'],
          ],
          record.steps[1],
        ],
      })
    expect(digest(late('/a'))).toBe(digest(late('/b')))
    const others = [
      late(''),
      changed({ key: 'l' }),
      changed({ luck: newLuck('x') }),
      changed({ field: 3 }),
      changed({ ready: [] }),
    ]
    const digests = [record, ...others].map(digest)
    expect(new Set(digests).size).toBe(6)
    for (const one of digests) expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(digestOfAll([...digests].reverse())).toBe(digestOfAll(digests))
    expect(digestOfAll(digests.slice(1))).not.toBe(digestOfAll(digests))
    expect(canonical({ b: [1, undefined, { d: null, c: 'é' }], a: undefined })).toBe(
      '{"b":[1,null,{"c":"é","d":null}]}',
    )
  })

  test('is refused in words where its text is not one', () => {
    const why = (line: string): string => {
      try {
        parseRecord(line)
      } catch (error) {
        if (error instanceof RecordError) return error.message
      }
      return 'read'
    }
    const without = (key: string): string => JSON.stringify({ ...record, [key]: undefined })
    expect(why(text)).toBe('read')
    expect(why(text.slice(0, -20))).toMatchInlineSnapshot(
      `"not a whole line of JSON (cut off?): …me":{"place":[1,2],"reason":"over","tall"`,
    )
    expect(why('')).toMatchInlineSnapshot(`"not a whole line of JSON (cut off?): …"`)
    expect(why('null')).toMatchInlineSnapshot(`"not a match record: no "agon" with the format's version"`)
    expect(why(without('agon'))).toMatchInlineSnapshot(`"not a match record: no "agon" with the format's version"`)
    expect(why(JSON.stringify({ ...record, agon: 2 }))).toMatchInlineSnapshot(
      `"a record of format version 2; this agon reads version 1"`,
    )
    expect(why(without('steps'))).toMatchInlineSnapshot(
      `"not a match record: steps: Invalid input: expected array, received undefined"`,
    )
    expect(why(without('outcome'))).toMatchInlineSnapshot(
      `"not a match record: outcome: Invalid input: expected object, received undefined"`,
    )
    expect(why(JSON.stringify({ ...record, more: 1 }))).toMatchInlineSnapshot(
      `"not a match record: the line: Unrecognized key: "more""`,
    )
    expect(why(JSON.stringify({ ...record, steps: [[[0, null]]] }))).toMatchInlineSnapshot(
      `"not a match record: steps.0.0.1: Invalid input"`,
    )
    expect(why(JSON.stringify({ ...record, steps: [[[0, { trouble: 'sleep' }]]] }))).toMatchInlineSnapshot(
      `"not a match record: steps.0.0.1: Invalid input"`,
    )
    expect(why(JSON.stringify({ ...record, seats: [{ entrant: 'Ant', wire: 'plain' }] }))).toMatchInlineSnapshot(
      `"not a match record: seats.0.id: Invalid input: expected number, received undefined"`,
    )
    // Cut anywhere, a line is refused.
    for (let cut = 0; cut < text.length; cut++) expect(why(text.slice(0, cut))).not.toBe('read')
  })
})

describe('words beside an action', () => {
  interface Talk {
    readonly heard: readonly (readonly (string | null)[])[]
  }
  const talk: Game<Talk, string, { readonly heard: Talk['heard'] }, Record<string, never>> = {
    id: 'talk',
    version: 1,
    seats: { min: 2, max: 2 },
    options: {},
    say: true,
    setup: () => ({ heard: [] }),
    toMove: ({ heard }) => (heard.length < 2 ? [0, 1] : []),
    view: ({ heard }) => ({ heard }),
    legal: () => ['nod'],
    play: ({ heard }, _, said) => ({ heard: [...heard, [0, 1].map((seat) => said?.[seat] ?? null)] }),
    outcome: ({ heard }) => (heard.length < 2 ? undefined : { place: [1, 1], reason: 'over' }),
  }
  const talking = { game: talk, title: '', summary: '' } as unknown as GameDefinition
  const fixture = {
    agon: 1,
    game: 'talk',
    version: 1,
    options: {},
    luck: newLuck('x'),
    field: 2,
    seats: [
      { entrant: 'Ant', wire: 'jsonl', id: 0 },
      { entrant: 'Bee', wire: 'module', id: 1 },
    ],
  } as const
  const lastHeard = (definition_: GameDefinition, record: Parameters<typeof walk>[1]) =>
    [...walk(definition_, record)].map(({ after }) => (after as Talk).heard.at(-1))
  const play = (definition_: GameDefinition, first: readonly string[], second: readonly string[]) => {
    const seat = (outs: readonly string[]) => {
      const left = [...outs]
      return player(() => ({ out: left.shift() ?? '' }), {})
    }
    return playMatch({ fixture, definition: definition_, players: [seat(first), seat(second)] })
  }

  test('are heard by the game and judged again, 512 characters of them, whatever else the line holds', async () => {
    const long = 'é'.repeat(600)
    const utf8 = Buffer.from(JSON.stringify({ action: 'nod', filler: 'x'.repeat(5000), say: long })).toString('latin1')
    const record = await play(talking, [utf8, '{"action":"nod"}'], [JSON.stringify({ action: 'nod', say: 'ü' }), 'nod'])
    expect(lastHeard(talking, record)).toEqual([
      ['é'.repeat(512), 'ü'],
      [null, null],
    ])
    expect(formatRecord(record).length).toBeLessThan(6000)
    expect(judge(talking, parseRecord(formatRecord(record))).faults).toEqual([])
  })

  test('are not heard beside a fault, nor in a game that lets nobody talk', async () => {
    const spoken = JSON.stringify({ action: 'shout', say: 'no' })
    expect(lastHeard(talking, await play(talking, [spoken, spoken], ['nod', 'nod']))).toEqual([
      [null, null],
      [null, null],
    ])
    const silent = { ...talking, game: { ...talking.game, say: false } }
    const nod = JSON.stringify({ action: 'nod', say: 'yes' })
    const record = await play(silent, [nod, nod], ['nod', nod])
    expect(lastHeard(silent, record)).toEqual([
      [null, null],
      [null, null],
    ])
    expect(judge(silent, record).faults.map(({ seat, fault }) => `${seat} ${fault}`)).toEqual(['1 illegal'])
  })
})
