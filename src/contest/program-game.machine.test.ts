import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type GameDefinition, GameMistake, UserError, allActions, newLuck, shownSeats } from '../core/index.js'
import { examine } from '../kits/index.js'
import { loadGame } from './load-game.js'

const place = mkdtempSync(join(tmpdir(), 'agon-program-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A pile drawn from the seed; who takes the last stick wins. `here`: lines of Python in its play. */
const sticks = (here = ''): string => `
import json, random, sys
matches, calls = {}, 0
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "describe":
        print(json.dumps({"id": "sticks-py", "version": 1, "seats": {"min": 2, "max": 2}, "options": {"most": 20}, "rules": "# Take some"}), flush=True)
        continue
    if m["type"] == "end":
        del matches[m["match"]]
        continue
    if m["type"] == "setup":
        s = matches[m["match"]] = {"pile": random.Random(m["seed"]).randint(10, m["options"]["most"]), "turn": 0, "winner": None}
    else:
        s = matches[m["match"]]
        seat = s["turn"] % 2
        move = m["moves"][seat]
        calls += 1
${here.replace(/^/gm, '        ')}
        s["pile"] -= int(move) if isinstance(move, str) else 0
        s["turn"] += 1
        s["winner"] = seat if s["pile"] == 0 else 1 - seat if not isinstance(move, str) else None
    over = s["winner"] is not None
    legal = [None, None]
    if not over:
        legal[s["turn"] % 2] = [a for a in ("1", "2", "3") if int(a) <= s["pile"]]
    answer = {"match": m["match"], "due": [] if over else [s["turn"] % 2], "views": [{"pile": s["pile"]}] * 2, "legal": legal, "board": f"{s['pile']} sticks"}
    if over:
        answer["outcome"] = {"place": [1 if seat == s["winner"] else 2 for seat in (0, 1)], "reason": "end"}
    print(json.dumps(answer), flush=True)
`

let files = 0
function load(text: string, answerMs?: number): Promise<GameDefinition> {
  const file = join(place, `game${files++}.py`)
  writeFileSync(file, text)
  return loadGame(file, place, answerMs)
}

/** Plays the first legal action on and on; the state before each step, and the last. */
function course({ game }: GameDefinition, seed = 'a'): unknown[] {
  const states = [game.setup(2, game.options, newLuck(seed))]
  for (let n = 0; n < 50; n++) {
    const state = states.at(-1)
    const due = game.toMove(state)
    if (due.length === 0) break
    states.push(
      game.play(
        state,
        [0, 1].map((seat) => (due.includes(seat) ? allActions(game.legal(game.view(state, seat)))[0] : undefined)),
      ),
    )
  }
  return states
}

describe('a program that is a game', () => {
  test('says what it is, and plays a match to its end', async () => {
    const definition = await load(sticks())
    const { game } = definition
    expect([game.id, game.seats, game.options, definition.rules]).toEqual([
      'sticks-py',
      { min: 2, max: 2 },
      { most: 20 },
      '# Take some',
    ])
    const states = course(definition)
    const last = states.at(-1)
    expect(game.outcome(last)).toMatchObject({ reason: 'end' })
    expect(definition.board?.(last, shownSeats([]))).toBe('0 sticks')
    expect(course(definition)).toEqual(states)
  })

  test('goes on from any state, also from one that was JSON, and holds many matches', async () => {
    const definition = await load(sticks())
    const { game } = definition
    const [one, two] = [course(definition, 'a'), course(definition, 'b')]
    const third = JSON.parse(JSON.stringify(one[3])) as unknown
    const moves = game.toMove(third)[0] === 0 ? ['1', undefined] : [undefined, '1']
    expect(game.play(third, moves)).toEqual(one[4])
    expect(game.play(two[1], [undefined, '1'])).toEqual(two[2])
    // More matches than are held open are set up again.
    const begun = Array.from({ length: 300 }, (_, n) => game.setup(2, game.options, newLuck(String(n))))
    const views = begun.map((state) => game.view(game.play(state, ['1', undefined]), 0) as { pile: number })
    expect(views.map(({ pile }) => pile + 1)).toEqual(
      begun.map((state) => (game.view(state, 0) as { pile: number }).pile),
    )
  })

  test('is told what bots said, also where a match is set up again', async () => {
    const words = 's["words"] = (m.get("said") or [None, None])[seat]'
    const text = sticks(words)
      .replace('"options": {"most": 20}', '"options": {"most": 20}, "say": True')
      .replace('f"{s[\'pile\']} sticks"', 's.get("words") or "silence"')
    const definition = await load(text)
    const { game } = definition
    expect(game.say).toBe(true)
    const begun = game.setup(2, game.options, newLuck('a'))
    const spoken = game.play(begun, ['1', undefined], ['take two', undefined])
    const later = game.play(spoken, [undefined, '1'])
    expect([spoken, later].map((state) => definition.board?.(state, shownSeats([])))).toEqual(['take two', 'silence'])
    // The newest state is behind this one.
    expect(game.play(spoken, [undefined, '1'])).toEqual(later)
  })

  test('is named by the contest file that has its commands, and built apart from its folder', async () => {
    writeFileSync(join(place, 'wrap.sh'), 'exec python3 made.py\n')
    writeFileSync(join(place, 'source.py'), sticks())
    writeFileSync(
      join(place, 'contest.toml'),
      '[game]\ncommand = ["sh", "wrap.sh"]\nbuild = ["cp", "source.py", "made.py"]\n[options]\nwrong = 1\n',
    )
    const definition = await loadGame('./contest.toml', place)
    expect(definition.game.id).toBe('sticks-py')
    expect(() => readFileSync(join(place, 'made.py'))).toThrow('ENOENT')
  })

  test('of what names no program is refused', async () => {
    writeFileSync(join(place, 'words.txt'), 'no program')
    await expect(loadGame('./words.txt', place)).rejects.toThrow(/words\.txt is no game that can be started/)
    chmodSync(join(place, 'words.txt'), 0o755)
    await expect(loadGame('./words.txt', place)).rejects.toThrow(UserError)
  })
})

describe("a designer's mistake is told with the file, the turn, and the end of standard error", () => {
  test.each([
    [
      'ends',
      'sys.exit("wombat") if s["turn"] == 1 else 0',
      /game\d+\.py: it ended with exit code 1; the end of its standard error: wombat \(in turn 2; luck "a"\)/,
    ],
    ['throws', 's["wombat"]', /KeyError: 'wombat' \(in turn 1/],
    ['prints junk', 'print("wombat")', /its answer is no JSON: "wombat"/],
    ['says more', 'print(json.dumps({"match": m["match"]}))', /has no views/],
    ['floods standard error', 'sys.stderr.write("x" * 3000000 + "\\nwombat"), sys.exit(3)', /exit code 3.*wombat/],
  ])('it %s', async (_, here, why) => {
    const definition = await load(sticks(here))
    let told: unknown
    try {
      course(definition)
    } catch (error) {
      told = error
    }
    expect(told).toBeInstanceOf(GameMistake)
    expect(String(told)).toMatch(why)
  })

  test('it does not answer', async () => {
    const definition = await load(sticks('while s["turn"] == 1: pass'), 400)
    expect(() => course(definition)).toThrow(/has not answered within 400 ms \(in turn 2; luck "a"\)/)
    // It is started again for the next match.
    expect(definition.game.setup(2, definition.game.options, newLuck('b'))).toBeDefined()
  })

  test.each([
    ['chance of its own', 's["pile"] += random.choice([0, 1, 2, 3, 4, 5])', /pure/],
    [
      'the order of a set',
      's["pile"] += int(list({"0", "1", "2", "3", "4", "5"})[0])',
      /not pure: two of it that were told the same differ/,
    ],
    ['a count of its calls', 's["pile"] += calls % 7', /differs|pure/],
  ])('%s is found by the test of games', async (_, here, why) => {
    const definition = await load(sticks(here))
    definition.program?.askTwice()
    const { findings } = examine(definition, { seed: 'x', games: 20, cap: 100 })
    expect(findings.map(({ what }) => what).join('\n')).toMatch(why)
  })

  test('a sound game passes it', async () => {
    const definition = await load(sticks())
    definition.program?.askTwice()
    expect(examine(definition, { seed: 'x', games: 20, cap: 100 }).findings).toEqual([])
  })
})
