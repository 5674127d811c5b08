import { z } from 'zod'
import { MEMORIES } from '../core/index.js'
import { FORMAT_KINDS, FORMATS, kindsWith } from '../tournament/index.js'

/**
 * The contest file as data: what a TOML file may say. Which options, wires and limits there are depends on the game and is
 * checked in check.ts; docs/contest.schema.json is generated from here. Every `error` is what the value has to be, put so that
 * it goes on from 'must be'.
 */
const text = (error = 'a text'): z.ZodString => z.string({ error }).min(1, { error })
const words = (error: string): z.ZodArray<z.ZodString> => z.array(text(error), { error }).min(1, { error })
const whole = (min: number): z.ZodInt => {
  const error = `a whole number, ${min} or more`
  return z.int({ error }).min(min, { error })
}
/** Points of a match, either way, at most: sums of millions of matches stay exact to a thousandth. */
const MOST_POINTS = 1_000_000
const POINTS = `a number from ${-MOST_POINTS} to ${MOST_POINTS}`
const points = z.number({ error: POINTS }).min(-MOST_POINTS, { error: POINTS }).max(MOST_POINTS, { error: POINTS })
const POINTS_BY_PLACE = 'numbers by place, such as [10, 6, 4, 3]'
const flag = z.boolean({ error: 'true or false' })

const COMMAND = 'words such as ["python3", "bot.py"], or one text'
const COUNTRY = 'two capital letters of ISO 3166, such as "CH"'
const BUILD = 'a command, such as ["make", "bot"], or an array of commands'
const OPTION = 'a number, a text, true or false, or an array of them'
const GIVEN = 'a number, a text, true or false'
const LIMIT = 'a number above 0, or of late "fault" or "forgive:3"'
const ENTRANTS = 'a table [[entrants]] for each, or a pattern of files such as "entries/*/bot.toml"'

const LABELS = 'words such as ["gpu"]: lower-case letters, digits and dashes'
const label = text(LABELS).regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: LABELS })

const memory = z.enum(MEMORIES).meta({ description: 'how long a bot may remember' })

export const entrantSchema = z.strictObject(
  {
    name: z
      .string({ error: 'a text' })
      .optional()
      .meta({ description: 'unique in the contest; a house bot may keep its own' }),
    command: z
      .union([text(), words(COMMAND)], { error: COMMAND })
      .optional()
      .meta({ description: `a program: ${COMMAND}` }),
    module: text('a file')
      .optional()
      .meta({ description: "a TypeScript or JavaScript file that runs in agon's own process" }),
    with: z
      .record(z.string(), z.union([z.number(), z.string(), z.boolean()], { error: GIVEN }), {
        error: 'a table such as { p = 0.3 }',
      })
      .optional()
      .meta({ description: 'parameters of the module, by name' }),
    class: text('a file')
      .optional()
      .meta({ description: 'a header with a class, for games that have a wire for classes' }),
    house: text('a name').optional().meta({ description: 'a bot that ships with the game' }),
    wire: text('a name')
      .optional()
      .meta({ description: "the protocol it speaks, where the game's default does not serve" }),
    language: text().optional().meta({ description: 'for display; otherwise guessed from the file names' }),
    build: z
      .union([text(), words(BUILD), z.array(words(BUILD), { error: BUILD }).min(1, { error: BUILD })], { error: BUILD })
      .optional()
      .meta({ description: `what makes the program: ${BUILD}` }),
    folder: text('a folder')
      .optional()
      .meta({ description: 'its whole source; without one, the files that its command names' }),
    memory: memory.optional(),
    author: text('a name').optional().meta({ description: 'the person who wrote it' }),
    country: z
      .string({ error: COUNTRY })
      .regex(/^[A-Z]{2}$/, { error: COUNTRY })
      .optional()
      .meta({ description: 'where its author is from: two letters of ISO 3166, shown beside its name' }),
    synopsis: z.string({ error: 'a text' }).optional().meta({ description: 'what the bot does, in a sentence' }),
    deterministic: flag.optional().meta({
      description: 'true: it has no chance, and answers the same whenever it is sent the same; agon check tests that',
    }),
    warm: flag.optional().meta({ description: 'false: its interpreter is started afresh each turn' }),
    labels: z
      .array(label, { error: LABELS })
      .min(1, { error: LABELS })
      .optional()
      .meta({ description: 'what a worker must have to play it, as its labels say (docs/scale.md)' }),
  },
  { error: 'a table [[entrants]]' },
)

const GAME = "a game's id, a file such as ./mygame.ts, or a table with its command"
/** A game: its id, its file, or the program that it is. */
const gameSchema = z.union(
  [
    text(GAME),
    z.strictObject({
      command: z.union([text(), words(COMMAND)], { error: COMMAND }),
      build: z
        .union([text(), words(BUILD), z.array(words(BUILD), { error: BUILD }).min(1, { error: BUILD })], {
          error: BUILD,
        })
        .optional(),
    }),
  ],
  { error: GAME },
)

/** For people: the formats that take a key, or that have playoffs for this. */
const takers = (key: Parameters<typeof kindsWith>[0]): string => kindsWith(key).join(', ')
const playoffsOf = (what: 'first' | 'pairing'): string =>
  FORMATS.flatMap(({ kind, playoff }) => (playoff === what ? [kind] : [])).join(', ')

const format = z.strictObject(
  {
    kind: z.enum(FORMAT_KINDS).optional().meta({ description: 'the form of the tournament' }),
    repetitions: whole(1)
      .optional()
      .meta({ description: 'matches a pair, rounds, games, Latin squares or turns on each seat, by the kind' }),
    swap: flag.optional().meta({
      description:
        'whether a deal is played in other orders of seats, too: both of two, as many rotations as seats of more (true)',
    }),
    playoff: whole(0)
      .optional()
      .meta({
        description: `duels for a tie at the top, drawn ones repeated up to this often (${playoffsOf('first')}); more matches for a pairing that is level (${playoffsOf('pairing')})`,
      }),
    size: whole(2)
      .optional()
      .meta({ description: `players a match (${takers('size')})` }),
    rounds: whole(1)
      .optional()
      .meta({ description: `rounds (${takers('rounds')}); otherwise as many as an elimination would take` }),
    places: whole(1)
      .optional()
      .meta({ description: `how many stand on the hill (${takers('places')}; 10)` }),
    placing: whole(1)
      .optional()
      .meta({ description: `matches after which a newcomer's place is settled (${takers('placing')}; 60)` }),
    hourly: whole(1)
      .optional()
      .meta({ description: `matches an hour at most, where a site plays it (${takers('hourly')})` }),
    challengers: z
      .array(text('a name'), { error: 'an array of names' })
      .min(1, { error: 'an array of names' })
      .optional()
      .meta({ description: `who plays against all others (${takers('challengers')}); otherwise the last entrant` }),
    seeding: z
      .enum(['order', 'lot'])
      .optional()
      .meta({
        description: `seeds by the contest's order, the strongest first (order), or by lot (${takers('seeding')})`,
      }),
    by: z
      .enum(['team'])
      .optional()
      .meta({ description: 'an entrant has all seats of a team (team); otherwise one seat' }),
    self: flag.optional().meta({ description: `by score: every entrant also meets itself (${takers('self')})` }),
    quick: whole(1).optional().meta({ description: "repetitions when the contest is run by its game's bare name" }),
  },
  { error: 'a table [format]' },
)

const tie = z.strictObject(
  {
    tally: text().meta({ description: "a tally of the game's outcome, such as life" }),
    of: z.enum(['all', 'won']).optional().meta({ description: 'summed over all matches, or over those won' }),
    name: text().optional().meta({ description: "the column's heading" }),
  },
  { error: 'a table such as { tally = "life" }' },
)

const scoring = z.strictObject(
  {
    by: z.enum(['wins', 'score']).optional().meta({
      description:
        'what counts: wins, draws and losses, or the scores that the game gives (without it, what the game says)',
    }),
    per: z
      .enum(['match', 'turn'])
      .optional()
      .meta({ description: 'by score: a match counts its score, or its score divided by its turns (match)' }),
    of: z
      .enum(['mean', 'total'])
      .optional()
      .meta({ description: "by score: points are the mean over one's matches, or their sum (mean)" }),
    points: z
      .array(points, { error: POINTS_BY_PLACE })
      .min(2, { error: POINTS_BY_PLACE })
      .optional()
      .meta({ description: 'by place what a match is worth, the first place first; further places are worth 0' }),
    win: points.optional(),
    draw: points.optional(),
    loss: points.optional(),
    ties: z
      .array(tie, { error: 'an array of tables' })
      .optional()
      .meta({ description: 'what decides between equal points, in order' }),
  },
  { error: 'a table [scoring]' },
)

const SECONDS = 'a number of seconds from 1 to 3600'
const scalar = z.union([z.number(), z.string(), z.boolean()], { error: OPTION })

export const contestSchema = z.strictObject({
  title: text().optional(),
  game: gameSchema.meta({
    description:
      "a game's id, a file that holds one (./mygame.ts, ./mygame.py), or a table with the command of a program that is one",
  }),
  seed: z
    .union([z.int(), text()], { error: 'a whole number or a text' })
    .optional()
    .meta({ description: 'the same seed and deterministic bots give the same records' }),
  memory: memory.optional(),
  steps: whole(1).optional().meta({
    description: 'steps of a match at most (100000): a game that has not ended by then is its designer’s mistake',
  }),
  strict_memory: flag.optional().meta({
    description:
      'true: a bot has a new sandbox for each life, one of memory turn for each turn, which costs about 15 ms (false)',
  }),
  mixed_builds: flag.optional().meta({
    description:
      'true: workers play entrants also where other compilers or interpreters make other programs of them (false)',
  }),
  entries_per_author: whole(1)
    .optional()
    .meta({ description: 'how many entrants a person may enter, house bots apart' }),
  signup: flag
    .optional()
    .meta({ description: 'on a site: people may sign up themselves; false: only the host adds contestants (false)' }),
  sittings: flag.optional().meta({ description: 'on a site: people may play against its entrants (true)' }),
  notice: text().max(2000).optional().meta({ description: 'on a site: shown on the contest’s page' }),
  publish: flag.optional().meta({
    description: 'on a site: sources, logs and standard error are shown to everyone once it is over (false)',
  }),
  remote: flag.optional().meta({
    description: 'on a site: bots may play from their authors’ machines (agon connect); false: none may (false)',
  }),
  reconnect: z
    .number({ error: SECONDS })
    .min(1, { error: SECONDS })
    .max(3600, { error: SECONDS })
    .optional()
    .meta({ description: 'seconds within which such a bot has to be back if its connection breaks (30)' }),
  options: z
    .record(z.string(), z.union([scalar, z.array(scalar, { error: OPTION })], { error: OPTION }), {
      error: 'a table [options]',
    })
    .optional()
    .meta({ description: "the game's options" }),
  format: format.optional(),
  scoring: scoring.optional(),
  limits: z
    .record(
      z.string(),
      z.union(
        [z.number().positive({ error: LIMIT }), z.string().regex(/^(fault|forgive:[1-9]\d{0,5})$/, { error: LIMIT })],
        {
          error: LIMIT,
        },
      ),
      { error: 'a table [limits]' },
    )
    .optional()
    .meta({
      description:
        'milliseconds by name: turn, start, bank, increment; late = "fault" or "forgive:3"; bytes or numbers for output and what a sandbox limits (docs/wires.md, docs/sandbox.md)',
    }),
  house: z
    .array(text('a name'), { error: 'an array of names' })
    .optional()
    .meta({ description: 'house bots that play along under their own names, before the other entrants' }),
  entrants: z
    .union([text(), z.array(entrantSchema, { error: ENTRANTS })], { error: ENTRANTS })
    .optional()
    .meta({ description: ENTRANTS }),
})

/** Of the keys of [[entrants]] those that are the host's alone. */
const HOSTS = { house: true, with: true } as const

/** What an entrant's own file may say: a stranger wrote it, and all else is the host's to decide. */
export const ownSchema = entrantSchema
  .omit(HOSTS)
  .meta({ hosts: [...Object.keys(HOSTS), ...Object.keys(contestSchema.shape)] })

/** The file in a game's bots/ that lists what ships with it: the same tables as in a contest. */
export const houseSchema = z.strictObject({
  entrants: z.array(entrantSchema.omit({ house: true }), { error: 'a table [[entrants]] for each' }),
})

export type ContestDocument = z.infer<typeof contestSchema>
export type EntrantDocument = z.infer<typeof entrantSchema>
export type OwnDocument = z.infer<typeof ownSchema>

/** The JSON Schema of a contest file, for editors. */
export function contestJsonSchema(): unknown {
  return { $id: 'contest.schema.json', title: 'agon contest file', ...z.toJSONSchema(contestSchema, { io: 'input' }) }
}
