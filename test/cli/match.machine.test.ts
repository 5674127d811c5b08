import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { MAIN, Place, lastLine } from './agon.js'

const place = new Place({
  'bow.sh': 'echo Bow\n',
  'silent.sh': 'exit 0\n',
  'escape.sh': `printf '\\033[31mB\\n'; printf '\\033[2Jred\\n' >&2\n`,
  'random.ts': `import type { Bot } from 'agon'
const bot: Bot<unknown, string> = (_view, chance) => '012-='.charAt(chance.below(5))
export default bot
`,
  'loud.mjs': `export default () => {
  console.log('one document?')
  return '0'
}
`,
  'telling.sh': `echo "agon:argued=$#" >&2; echo B\n`,
  'telling.py': `import json, sys
for line in sys.stdin:
    if json.loads(line)["type"] == "ask":
        print("agon:eval=0.5", file=sys.stderr, flush=True)
        print(json.dumps({"action": "B"}), flush=True)
`,
  'noword.js': 'export const nothing = 1\n',
  'Steady.hpp': `#pragma once
#include "Player.hpp"
class Steady : public Player {
public:
  Steady(size_t opponent = -1) : Player(opponent) {}
  virtual Action fight() { return getAmmo() > 0 ? bullet() : load(); }
};
`,
})
/** No bot is to lose here because the machine is busy. */
const PATIENT = ['--limit', 'turn=20000']

interface MatchDocument {
  outcome: { place: number[]; reason: string }
  moves: (string | null | { fault: string })[][]
  faults: { seat: number; turn: number; fault: string; why?: string }[]
}
interface CheckDocument {
  ok: boolean
  steps: { name: string; ok: boolean; lines: string[] }[]
}

describe.concurrent('agon match', () => {
  it('prints a row a turn with what matters of each seat, and how it ended', async ({ expect: local }) => {
    const args = ['match', 'samurai', 'sh bow.sh', 'sh bow.sh', '--option', 'turns=3', '--seed', '1', ...PATIENT]
    const { status, stdout, stderr } = await place.agon(args)
    local([status, stderr]).toEqual([0, ''])
    local(stdout).toMatchInlineSnapshot(`
      "Ultimate Samurai Showdown: bow.sh (seat 0) against bow.sh (2) (seat 1); seed 1

       turn  bow.sh                                    bow.sh (2)
          1  B bow              20 health, 2 honour    B bow              20 health, 2 honour
          2  B bow              20 health, 3 honour    B bow              20 health, 3 honour
          3  B bow              20 health, 4 honour    B bow              20 health, 4 honour

      seat 0  health 20  honour  4  BBB
      seat 1  health 20  honour  4  BBB

      a draw: turn limit
      "
    `)
  })

  it('keeps what bots print of themselves with the turn, whatever they are', async ({ expect: local }) => {
    const play = (...words: readonly string[]) =>
      place.agon(['match', 'samurai', ...words, '--option', 'turns=3', '--json', ...PATIENT])
    const [turns, lines] = await Promise.all([
      play('sh telling.sh', 'loud.mjs'),
      play('python3 telling.py', 'python3 telling.py', '--wire', 'jsonl'),
    ])
    local([turns.stderr, lines.stderr]).toEqual(['', ''])
    const figuresOf = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { figures: [number, number, string, number][] }).figures
    // It is sent both histories, and who it is: two arguments more for each turn.
    local(figuresOf(turns).map(([step, seat, name]) => [step, seat, name])).toEqual(
      [0, 1, 2].map((step) => [step, 0, 'argued']),
    )
    // A process that stays is read by two pipes: the turn of a figure is known but roughly.
    for (const figure of figuresOf(lines)) local(figure).toEqual([local.any(Number), local.any(Number), 'eval', 0.5])
    local(figuresOf(lines).some(([, seat]) => seat === 1)).toBe(true)
  })

  it('speaks a wire of its own with each bot', async ({ expect: local }) => {
    const words = ['match', 'samurai', 'sh bow.sh', 'python3 telling.py', '--wire', 'turn,jsonl', '--option', 'turns=2']
    const { status, stdout, stderr } = await place.agon([...words, '--json', ...PATIENT])
    local([status, stderr]).toEqual([0, ''])
    const { seats, faults } = JSON.parse(stdout) as MatchDocument & { seats: { wire: string }[] }
    local([seats.map(({ wire }) => wire), faults]).toEqual([['turn', 'jsonl'], []])
  })

  it('prints a record with its moves and faults as one document', async ({ expect: local }) => {
    const args = ['match', 'samurai', 'bow.sh', 'silent.sh', '--option', 'turns=5', '--json', ...PATIENT]
    const { status, stdout, stderr } = await place.agon(args)
    local([status, stderr]).toEqual([0, ''])
    const { moves, faults } = JSON.parse(stdout) as MatchDocument
    local(moves.map(([seat0]) => seat0)).toEqual(['B', 'B', 'B', 'B', 'B'])
    local(faults.map(({ seat, turn, fault }) => [seat, turn, fault])).toEqual(
      [0, 1, 2, 3, 4].map((turn) => [1, turn, 'silent']),
    )
    local(moves[0]?.[1]).toMatchObject({ fault: 'silent', why: local.any(String) as string })
  })

  it('what a module prints is no part of the document', async ({ expect: local }) => {
    const { stdout } = await place.agon(['match', 'gunduel', 'loud.mjs', 'random.ts', '--seed', '1', '--json'])
    local((JSON.parse(stdout) as MatchDocument).outcome.place).toHaveLength(2)
  })

  it('the same seed gives the same match', async ({ expect: local }) => {
    const args = ['match', 'gunduel', 'random.ts', 'random.ts', '--seed', '5', '--json', '--option', 'ammo=9']
    const [a, b] = await Promise.all([place.agon(args), place.agon(args)])
    const moves = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as MatchDocument).moves
    local(moves(a)).toEqual(moves(b))
  })

  it('shows escapes written out, and faults in words', async ({ expect: local }) => {
    const args = ['match', 'samurai', 'escape.sh', 'bow.sh', '--option', 'turns=2', '--boards', ...PATIENT]
    const { stdout, stderr } = await place.agon(args)
    local(stdout).toMatch(/! escape\.sh: unparsable: .*\(answered "\\u001b\[31mB/)
    local(stdout).toContain('escape.sh wrote to its standard error:\n  \\u{1b}[2Jred')
    local(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  })
})

describe.concurrent('agon check', () => {
  const check = async (args: readonly string[]) => {
    const ended = await place.agon(['check', ...args, '--json'])
    return { ...ended, document: JSON.parse(ended.stdout) as CheckDocument }
  }

  it('tells in numbered steps what was sent and answered: exit code 0', async ({ expect: local }) => {
    const { status, stdout } = await place.agon(['check', 'samurai', 'bow.sh', ...PATIENT])
    local(status).toBe(0)
    // A machine that is busy plays fewer matches.
    const played = stdout.replace(/\d+ matches/, 'N matches').replace(/\d+ questions/, 'N questions')
    const fewer = played
      .replace(/against random opponents.*(?=: N)/, 'against OPPONENTS')
      .replace(/covered: .*/, 'covered: TURNS AND ENDS')
    const times = fewer.replace(/[\d.]+ ms$/gm, 'TIME').replace(/[\d.]+ ms of/, 'TIME of')
    local(times.replaceAll(/\/\S*\//g, '')).toMatchSnapshot()
  })

  it('asks a gun duellist more than the one question of a duel that ends at once', async ({ expect: local }) => {
    const { status, document } = await check(['gunduel', 'random.ts', ...PATIENT])
    const { name = '' } = document.steps.at(-1) ?? {}
    local([status, document.ok]).toEqual([0, true])
    // A machine that is busy plays fewer matches.
    local(name).toMatch(/^\d+ matches against random opponents.*: \d+ questions, 0 faults$/)
    const [, matches, questions] = /^(\d+) .* (\d+) questions/.exec(name) ?? []
    local(Number(questions)).toBeGreaterThan(Number(matches) > 1 ? 1 : 0)
  })

  it('a bot that says nothing, late, not there to be started, or no bot: exit code 1', async ({ expect: local }) => {
    const [silent, late, deaf, none] = await Promise.all([
      check(['samurai', 'silent.sh', ...PATIENT]),
      check(['samurai', "sh -c 'sleep 5'", '--limit', 'turn=50']),
      check(['negotiate', "sh -c 'read line'", '--limit', 'ready=300']),
      check(['gunduel', 'noword.js']),
    ])
    local([silent.status, late.status, deaf.status, none.status]).toEqual([1, 1, 1, 1])
    local(silent.document.steps.at(-1)?.lines).toContain('the trial was ended after 3 faults')
    local(late.document.steps.find(({ ok }) => !ok)?.lines.join('\n')).toContain('timeout')
    local(deaf.document.steps.at(-1)).toMatchObject({
      ok: false,
      lines: [
        local.stringContaining('not ready'),
        'a contest leaves it out',
        local.stringContaining('likely: nothing came though it runs: does it flush'),
      ],
    })
    local(none.document.steps.at(-1)).toMatchObject({
      ok: false,
      lines: [local.stringContaining('default export'), local.stringContaining('exports no function by default')],
    })
  })

  it.skipIf(spawnSync('g++', ['--version']).error !== undefined)(
    'builds a C++ class, and says what its wire is',
    async ({ expect: local }) => {
      const { status, document } = await check(['gunduel', 'Steady.hpp', ...PATIENT])
      local(document.steps[0]?.lines.join('\n')).toMatch(/wire: +class/)
      local([status, document.ok]).toEqual([0, true])
    },
  )
})

describe.concurrent('agon play, without a terminal', () => {
  const args = ['play', 'samurai', '--against', 'sh bow.sh', '--option', 'turns=2', ...PATIENT]

  it('reads a line an action, by itself or by what it means', async ({ expect: local }) => {
    const { status, stdout, stderr } = await place.agon(args, 'B\nhuh\nquick draw\n')
    local([status, stderr]).toEqual([0, ''])
    local(stdout).toMatchSnapshot()
  })

  it('ends in a line where the input ends too early', async ({ expect: local }) => {
    const { status, stdout, stderr } = await place.agon(args, 'B\n')
    local([status, stderr]).toEqual([2, 'agon: the input ended before the match did: the match is abandoned\n'])
    local(lastLine(stdout)).toMatch(/^your move \(\? helps\): /)
  })

  it("does not show a player the opponent's cards", async ({ expect: local }) => {
    place.write('income.mjs', "export default (view) => (view.cards.length === 2 ? 'I' : 'p')\n")
    const { stdout } = await place.agon(['play', 'coup', '--against', 'income.mjs', '--seed', '1'], 'p\np\n')
    local(stdout).toContain('2 hidden cards')
    const [, mine = ''] = /you: +\d+ coins?, (.*)/.exec(stdout) ?? []
    const named = [...stdout.matchAll(/\b(?:Duke|Assassin|Captain|Ambassador|Contessa)\b/g)].map(([name]) => name)
    local(named.filter((name) => !mine.includes(name))).toEqual([])
  })
})

describe('a reader that stops', () => {
  it('is no error', async () => {
    const child = spawn(process.execPath, [MAIN, 'games'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const status = await new Promise((done) => {
      child.on('close', done)
    })
    expect([status, stderr]).toEqual([0, ''])
  })
})
