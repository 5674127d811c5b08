import { toldLimits, DEFAULT_TURN_MS } from '../match/index.js'
import {
  type AnyWire,
  type GameDefinition,
  type Me,
  type Options,
  newLuck,
  outcomeOf,
  wiresOf,
  type Legal,
  type Asked,
  START_MS,
  type Message,
  type Spell,
  type Wording,
  command,
  message,
  option,
  spelled,
  visible,
  visibleLines,
  shapeText,
  isList,
  drawAction,
} from '../core/index.js'
import { randomMoves } from './cases.js'
import type { Language } from './languages.js'

type Samples = ReturnType<typeof samplesOf>

export interface AskedView {
  /** In the game's words; '' where it names no kinds. */
  readonly kind: string
  readonly view: unknown
  readonly legal: Legal
}

/** Random games to look at, steps of each, and views to keep. */
const GAMES = 40
const STEPS = 400
const VIEWS = 2000

/**
 * From random games: a question of each kind, all seats' views, and a match's first and last lines. Throws what the
 * game throws.
 */
export function samplesOf(definition: GameDefinition, options: Options = definition.game.options) {
  const { game } = definition
  const wire = wiresOf(definition, options)['jsonl'] as AnyWire
  const seats = Math.max(game.seats.min, Math.min(3, game.seats.max))
  const me: Me = { seat: 0, ids: Array.from({ length: seats }, (_, seat) => seat), field: seats }
  const kinds = new Map<string, AskedView>()
  const views: unknown[] = []
  let end: string | undefined
  for (let n = 0; n < GAMES && (n < 2 || definition.question !== undefined); n++) {
    let state = game.setup(seats, options, newLuck(`samples ${n}`))
    for (let step = 0; step < STEPS; step++) {
      const due = game.toMove(state)
      for (let seat = 0; seat < seats && views.length < VIEWS; seat++) views.push(game.view(state, seat))
      for (const seat of due) {
        const view = game.view(state, seat)
        const kind = definition.question?.(view) ?? ''
        // A question from mid-game shows more than the first.
        if (!kinds.has(kind) || (kind === '' && n === 0 && step === 3))
          kinds.set(kind, { kind, view, legal: game.legal(view) })
      }
      const outcome = outcomeOf(definition, state, seats)
      if (outcome !== undefined) end ??= wire.end?.(game.view(state, 0), outcome, me).lines?.[0]
      if (due.length === 0) break
      state = game.play(state, randomMoves(game, state, { seats, text: `samples ${n}/${step}` }))
    }
  }
  const first = game.view(game.setup(seats, options, newLuck('samples 0')), 0)
  const start = wire.start?.(first, me, toldLimits({}, wire)).lines?.[0] ?? ''
  return { questions: [...kinds.values()], start, views, end }
}

export interface NewBotFacts {
  readonly name: string
  /** The game in its commands: an id, or its file from the bot's folder. */
  readonly game: string
  readonly rules?: string
  /** Opponents, as many as a match needs: house bots, or itself by bot.toml. */
  readonly opponents: readonly string[]
  /** Its files, if the game's own; absent: the language's templates. */
  readonly files?: Readonly<Record<string, string>>
  /** How the README writes options and commands; absent: for an unknown reader. */
  readonly spell?: Spell
}

export interface ViewField {
  readonly key: string
  /** In TypeScript's words. */
  readonly type: string
  readonly meaning: string
}

/** Legal actions in an example at most, and letters of its line. */
const ACTIONS = 12
const COLUMNS = 2000

/** What shows what a bot prints beside its answers. */
const SHOW = message`\`${command('check')}\` and \`${command('match')}\``

/** A new bot's README: files, commands, what it is sent and answers, rules. */
export function readme(
  definition: GameDefinition,
  language: Language,
  about: NewBotFacts,
  samples: Samples & { readonly fields: readonly ViewField[] },
): string {
  const { title, summary } = definition
  const parts: readonly Wording[] = [
    `# ${visible(about.name)}`,
    message`A bot for ${visible(title)}, in ${language.name}, made by \`${command('new bot')}\`. ${visible(summary)}`,
    files(language),
    commands(about),
    ...(language.asksModel ? [endpoint(about)] : []),
    ...('class' in language.start
      ? isCalled(language)
      : [...('module' in language.start ? isGiven(language, samples) : isSent(language, samples)), viewTable(samples)]),
    answers(definition, language, about),
    ...(about.rules === undefined ? [] : [`## The rules\n\n${demoted(about.rules)}`]),
  ]
  return `${parts.map((part) => spelled(part, about.spell)).join('\n\n')}\n`
}

function files({ bot, wire, start, asksModel }: Language): string {
  const what =
    'module' in start
      ? 'the types of what it is given'
      : 'class' in start
        ? 'what its class inherits, for your editor: agon builds it with its own'
        : 'reads the questions and writes the answers'
  const rows = asksModel
    ? [
        `| \`${bot}\` | asks the model: begin with what it is told |`,
        '| `rules.md` | the rules, as the model is told them |',
        '| `bot.toml` | its name, and how it is started |',
      ]
    : [
        `| \`${bot}\` | where the bot decides: begin here. As it stands it plays the first legal move |`,
        `| \`${wire}\` | ${what} |`,
        '| `bot.toml` | its name, and how it is built and started |',
      ]
  return ['| file | |', '|---|---|', ...rows].join('\n')
}

/** First commands for a new bot, from its folder: a check, a match, a game against it. */
export function commandsOf({ game, opponents }: Pick<NewBotFacts, 'game' | 'opponents'>): readonly Message[] {
  const words = opponents.map(shellWord)
  const word = shellWord(game)
  return [
    message`${command(`check ${word} bot.toml`)}`,
    message`${command(`match ${word} bot.toml ${words.join(' ')}`)}`,
    words.reduce<Message>(
      (all) => message`${all} ${option('against', 'bot.toml')}`,
      message`${command(`play ${word}`)}`,
    ),
  ]
}

function commands(about: NewBotFacts): string {
  return `## Try it

In this folder:

\`\`\`sh
${commandsOf(about)
  .map((line) => spelled(line, about.spell))
  .join('\n')}
\`\`\`

The first shows whether it plays without a fault, and what is wrong where it does not. The second plays one match, turn by turn; \`--json\`
gives all of it. In the third you are the opponent.`
}

/** How a bot gets its language model, and comes to a site: sandboxes have no network. */
function endpoint({ name }: NewBotFacts): Message {
  return message`## Its model

The bot asks any endpoint of the chat-completions form, a server on your own machine or a service:

\`\`\`sh
export AGON_LLM_URL=http://127.0.0.1:11434/v1   # its address up to /v1
export AGON_LLM_MODEL=llama3.1                  # the model's name
export AGON_LLM_KEY=                            # your key, if it needs one
\`\`\`

Without AGON_LLM_URL, or if no legal action comes in time, it plays the first legal action. If a reply names none, it asks once more. It prints the
tokens and retries of each move as figures, and never your key.

A sandbox has no network, so such a bot plays from your own machine, on a site whose contest allows that (\`remote = true\`, and a \`turn\` of
some seconds in \`[limits]\`). In this folder:

\`\`\`sh
${command(`connect https://the.site --token TOKEN --contest ID --name ${shellWord(name)} -- python3 bot.py`)}
\`\`\``
}

/** The game in words, for a language model. */
export function rulesForModel({ title, summary, actions }: GameDefinition, { rules }: NewBotFacts): string {
  const meanings = Object.entries(actions ?? {}).map(([action, meaning]) => `- ${visible(action)}: ${visible(meaning)}`)
  const parts = [
    `# ${visible(title)}`,
    visible(summary),
    ...(rules === undefined ? [] : [demoted(rules)]),
    ...(meanings.length === 0 ? [] : ['## Actions', meanings.join('\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

function isSent({ bot, wire, debug }: Language, samples: Samples): Wording[] {
  const { start, questions, end } = samples
  return [
    '## What it is sent',
    `A line of JSON on standard input for each message; \`${wire}\` reads them. A match begins with`,
    block(cut(start)),
    `With each question of your own, \`view\` is what you may know and \`legal\` all that you may answer; \`${bot}\` is handed both.`,
    ...questions.flatMap((asked) => [...titled(asked), block(askLine(asked))]),
    'The answer is a line on standard output, with one of the texts in `legal` and the number of the question:',
    block(JSON.stringify({ action: questions[0] === undefined ? '' : exampleOf(questions[0].legal), n: ASKED.n })),
    ...questions
      .flatMap(({ legal }) =>
        isList(legal) ? [] : [`Here \`legal\` describes the answers: ${shapeText(legal)}. \`example\` is one of them.`],
      )
      .slice(0, 1),
    ...(end === undefined ? [] : ['When the match is over:', block(cut(end))]),
    message`Standard output belongs to the answers. To print anything else: \`${debug}\`, which ${SHOW} show.`,
    'A line `agon:name=value` there is a figure, `agon:eval=0.3`: replays graph it, turn by turn.',
  ]
}

function isGiven({ bot, wire, debug }: Language, { questions }: Samples): Wording[] {
  return [
    '## What it is given',
    [
      `agon calls the function of \`${bot}\` for each of your moves, with \`view\`, what you may know, \`chance\`, numbers to draw from,`,
      `and \`legal\`, all that you may answer. \`${wire}\` has the types.`,
    ].join('\n'),
    ...questions.flatMap((asked) => [...titled(asked), block(askLine(asked))]),
    message`To print anything: \`${debug}\`, which ${SHOW} show.`,
  ]
}

const exampleOf = (legal: Legal): string => drawAction(legal, (n) => Math.floor(n / 2)) ?? ''

function isCalled({ bot, wire, debug }: Language): Wording[] {
  return [
    '## What it is given',
    [
      `agon makes an object of the class of \`${bot}\` for each match, and calls its methods. \`${wire}\` declares them, and all that they`,
      'may ask for; the rules say when each is called. What they return is an action as a value of `Action`.',
    ].join('\n'),
    message`To print anything: \`${debug}\`, which ${SHOW} show.`,
  ]
}

const titled = ({ kind }: AskedView): string[] => (kind === '' ? [] : [`**${visible(kind)}**`])

const ASKED: Asked = { n: 0, clock: { turn: DEFAULT_TURN_MS } }

function askLine({ view, legal }: AskedView): string {
  if (!isList(legal)) return JSON.stringify({ type: 'ask', ...ASKED, view, legal, example: exampleOf(legal) })
  const shown = legal.slice(0, ACTIONS).map((action) => JSON.stringify(action))
  const more = legal.length > ACTIONS ? `, … (${legal.length} in all)` : ''
  return `${JSON.stringify({ type: 'ask', ...ASKED, view }).slice(0, -1)},"legal":[${shown.join(',')}${more}]}`
}

function viewTable({ questions, fields }: Samples & { readonly fields: readonly ViewField[] }): string {
  const example = questions.at(-1)?.view as Readonly<Record<string, unknown>> | undefined
  const rows = fields.map(({ key, type, meaning }) => {
    const value = example === undefined ? undefined : example[key]
    return `| ${[code(key), cell(meaning), code(type), value === undefined ? '' : code(short(JSON.stringify(value)))].join(' | ')} |`
  })
  return ['The parts of `view`:', '', '| key | what it is | type | such as |', '|---|---|---|---|', ...rows].join('\n')
}

function answers({ actions }: GameDefinition, { start }: Language, { game }: NewBotFacts): Message {
  const rows = Object.entries(actions ?? {}).map(([action, meaning]) => `| ${code(action)} | ${cell(meaning)} |`)
  const table = rows.length === 0 ? '' : `${['| action | |', '|---|---|', ...rows].join('\n')}\n\n`
  const thrown = 'module' in start ? 'an error that is thrown' : 'a crash'
  const first = 'module' in start || 'class' in start ? '' : ` (${START_MS} ms for the first one: it may have to load)`
  return message`## What it answers

${table}No answer within ${DEFAULT_TURN_MS} ms${first}, ${thrown}, or an answer that is not in \`legal\` is a fault, and the game prices it. A contest may
set other limits. \`${command(`wires ${shellWord(game)}`)}\` lists the other ways to be spoken to.`
}

const block = (line: string): string => `\`\`\`json\n${line}\n\`\`\``
const cut = (line: string): string => (line.length > COLUMNS ? `${line.slice(0, COLUMNS)}…` : line)
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
const cell = (text: string): string => visible(text).replaceAll('|', '\\|').replaceAll('<', '&lt;')

function code(text: string): string {
  const shown = visible(text).replaceAll('|', '\\|')
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Markdown with headings a level deeper, without its title. */
function demoted(rules: string): string {
  return visibleLines(rules)
    .replace(/^# .*\n+/, '')
    .replaceAll(/^(#{1,5}) /gm, '#$1 ')
    .trim()
}
