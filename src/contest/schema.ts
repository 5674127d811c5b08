import { z } from 'zod'
import { MEMORIES } from '../core/index.js'
import { FORMAT_KINDS, FORMATS, kindsWith } from '../tournament/index.js'

/** The contest file; docs/contest.schema.json comes from here. parse.ts checks the rest. `error` follows 'must be'. */
const text = (error = 'a text'): z.ZodString => z.string({ error }).min(1, { error })
const list = <T extends z.ZodType>(item: T, error: string, least = 1) => z.array(item, { error }).min(least, { error })
const words = (error: string) => list(text(error), error)
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
/** A key that may be left out, and what it is, for people. */
const may = <T extends z.ZodType>(schema: T, description: string) => schema.optional().meta({ description })

const COMMAND = 'words such as ["python3", "bot.py"], or one text'
const COUNTRY = 'two capital letters of ISO 3166, such as "CH"'
const BUILD = 'a command, such as ["make", "bot"], or an array of commands'
const command = z.union([text(), words(COMMAND)], { error: COMMAND })
const build = z.union([text(), words(BUILD), list(words(BUILD), BUILD)], { error: BUILD })
const OPTION = 'a number, a text, true or false, or an array of them'
const GIVEN = 'a number, a text, true or false'
const LIMIT = 'a number above 0, or of late "fault" or "forgive:3"'
const ENTRANTS = 'a table [[entrants]] for each, or a pattern of files such as "entries/*/bot.toml"'

const LABELS = 'words such as ["gpu"]: lower-case letters, digits and dashes'
const label = text(LABELS).regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: LABELS })

const memory = z.enum(MEMORIES).meta({ description: 'how long a bot may remember' })

export const entrantSchema = z.strictObject(
  {
    name: may(z.string({ error: 'a text' }), 'unique in the contest; a house bot may keep its own'),
    command: may(command, `a program: ${COMMAND}`),
    module: may(text('a file'), "a TypeScript or JavaScript file that runs in agon's own process"),
    with: may(
      z.record(z.string(), z.union([z.number(), z.string(), z.boolean()], { error: GIVEN }), {
        error: 'a table such as { p = 0.3 }',
      }),
      'parameters of the module, by name',
    ),
    class: may(text('a file'), 'a header with a class, for games that have a wire for classes'),
    house: may(text('a name'), 'a bot that ships with the game'),
    wire: may(text('a name'), "the protocol it speaks, where the game's default does not serve"),
    language: may(text(), 'for display; otherwise guessed from the file names'),
    build: may(build, `what makes the program: ${BUILD}`),
    folder: may(text('a folder'), 'its whole source; without one, the files that its command names'),
    memory: memory.optional(),
    author: may(text('a name'), 'the person who wrote it'),
    country: may(
      z.string({ error: COUNTRY }).regex(/^[A-Z]{2}$/, { error: COUNTRY }),
      'where its author is from: two letters of ISO 3166, shown beside its name',
    ),
    synopsis: may(z.string({ error: 'a text' }), 'what the bot does, in a sentence'),
    deterministic: may(
      flag,
      'true: it has no chance, and answers the same whenever it is sent the same; agon check tests that',
    ),
    warm: may(flag, 'false: its interpreter is started afresh each turn'),
    labels: may(list(label, LABELS), 'what a worker must have to play it, as its labels say (docs/scale.md)'),
  },
  { error: 'a table [[entrants]]' },
)

const GAME = "a game's id, a file such as ./mygame.ts, or a table with its command"
const gameSchema = z.union(
  [
    text(GAME),
    z.strictObject({
      command,
      build: build.optional(),
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
    kind: may(z.enum(FORMAT_KINDS), 'the form of the tournament'),
    repetitions: may(whole(1), 'matches a pair, rounds, games, Latin squares or turns on each seat, by the kind'),
    swap: may(
      flag,
      'whether a deal is played in other orders of seats, too: both of two, as many rotations as seats of more (true)',
    ),
    playoff: may(
      whole(0),
      `duels for a tie at the top, drawn ones repeated up to this often (${playoffsOf('first')}); more matches for a pairing that is level (${playoffsOf('pairing')})`,
    ),
    size: may(whole(2), `players a match (${takers('size')})`),
    rounds: may(whole(1), `rounds (${takers('rounds')}); otherwise as many as an elimination would take`),
    places: may(whole(1), `how many stand on the hill (${takers('places')}; 10)`),
    placing: may(whole(1), `matches after which a newcomer's place is settled (${takers('placing')}; 60)`),
    hourly: may(whole(1), `matches an hour at most, where a site plays it (${takers('hourly')})`),
    challengers: may(
      list(text('a name'), 'an array of names'),
      `who plays against all others (${takers('challengers')}); otherwise the last entrant`,
    ),
    seeding: may(
      z.enum(['order', 'lot']),
      `seeds by the contest's order, the strongest first (order), or by lot (${takers('seeding')})`,
    ),
    by: may(z.enum(['team']), 'an entrant has all seats of a team (team); otherwise one seat'),
    self: may(flag, `by score: every entrant also meets itself (${takers('self')})`),
    quick: may(whole(1), "repetitions when the contest is run by its game's bare name"),
  },
  { error: 'a table [format]' },
)

const tie = z.strictObject(
  {
    tally: text().meta({ description: "a tally of the game's outcome, such as life" }),
    of: may(z.enum(['all', 'won']), 'summed over all matches, or over those won'),
    name: may(text(), "the column's heading"),
  },
  { error: 'a table such as { tally = "life" }' },
)

const scoring = z.strictObject(
  {
    by: may(
      z.enum(['wins', 'score']),
      'what counts: wins, draws and losses, or the scores that the game gives (without it, what the game says)',
    ),
    per: may(
      z.enum(['match', 'turn']),
      'by score: a match counts its score, or its score divided by its turns (match)',
    ),
    of: may(z.enum(['mean', 'total']), "by score: points are the mean over one's matches, or their sum (mean)"),
    points: may(
      list(points, POINTS_BY_PLACE, 2),
      'by place what a match is worth, the first place first; further places are worth 0',
    ),
    win: points.optional(),
    draw: points.optional(),
    loss: points.optional(),
    ties: may(z.array(tie, { error: 'an array of tables' }), 'what decides between equal points, in order'),
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
  seed: may(
    z.union([z.int(), text()], { error: 'a whole number or a text' }),
    'the same seed and deterministic bots give the same records',
  ),
  memory: memory.optional(),
  steps: may(
    whole(1),
    'steps of a match at most (100000): a game that has not ended by then is its designer’s mistake',
  ),
  strict_memory: may(
    flag,
    'true: a bot has a new sandbox for each life, one of memory turn for each turn, which costs about 15 ms (false)',
  ),
  mixed_builds: may(
    flag,
    'true: workers play entrants also where other compilers or interpreters make other programs of them (false)',
  ),
  entries_per_author: may(whole(1), 'how many entrants a person may enter, house bots apart'),
  signup: may(flag, 'on a site: people may sign up themselves; false: only the host adds contestants (false)'),
  sittings: may(flag, 'on a site: people may play against its entrants (true)'),
  notice: may(text().max(2000), 'on a site: shown on the contest’s page'),
  publish: may(flag, 'on a site: sources, logs and standard error are shown to everyone once it is over (false)'),
  remote: may(flag, 'on a site: bots may play from their authors’ machines (agon connect); false: none may (false)'),
  reconnect: may(
    z.number({ error: SECONDS }).min(1, { error: SECONDS }).max(3600, { error: SECONDS }),
    'seconds within which such a bot has to be back if its connection breaks (30)',
  ),
  options: may(
    z.record(z.string(), z.union([scalar, z.array(scalar, { error: OPTION })], { error: OPTION }), {
      error: 'a table [options]',
    }),
    "the game's options",
  ),
  format: format.optional(),
  scoring: scoring.optional(),
  limits: may(
    z.record(
      z.string(),
      z.union(
        [z.number().positive({ error: LIMIT }), z.string().regex(/^(fault|forgive:[1-9]\d{0,5})$/, { error: LIMIT })],
        {
          error: LIMIT,
        },
      ),
      { error: 'a table [limits]' },
    ),
    'milliseconds by name: turn, start, bank, increment; late = "fault" or "forgive:3"; bytes or numbers for output and what a sandbox limits (docs/wires.md, docs/sandbox.md)',
  ),
  house: may(
    z.array(text('a name'), { error: 'an array of names' }),
    'house bots that play along under their own names, before the other entrants',
  ),
  entrants: may(z.union([text(), z.array(entrantSchema, { error: ENTRANTS })], { error: ENTRANTS }), ENTRANTS),
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

export function contestJsonSchema(): unknown {
  return { $id: 'contest.schema.json', title: 'agon contest file', ...z.toJSONSchema(contestSchema, { io: 'input' }) }
}
