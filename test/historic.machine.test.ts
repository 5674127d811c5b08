import { findProgram } from '../src/files/index.js'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readShim, shimCommand } from '../src/build/build.js'
import { type GameDefinition, type Memory, type Options, allActions } from '../src/core/index.js'
import type { Seatable } from '../src/engine/index.js'
import coup from '../src/games/coup/index.js'
import gunduel from '../src/games/gunduel/index.js'
import negotiate from '../src/games/negotiate/index.js'
import samurai from '../src/games/samurai/index.js'
import stronger from '../src/games/stronger/index.js'
import { type Played, groundFor, module, playOn } from './kit/wire.js'

/*
 * A program in another language behind each historic wire. Each tells on its standard error what it was sent, byte for byte, and
 * the tests know by hand what that has to be.
 */
const place = mkdtempSync(join(tmpdir(), 'agon-historic-'))
const source = join(place, 'source')
afterAll(() => rmSync(place, { recursive: true, force: true }))

const SOURCES = {
  'samurai.sh': `#!/bin/sh
    echo "$*" >&2
    case $1 in 20) echo Bow;; B) echo " guard";; *) echo I;; esac`,
  'stronger.py': `
import os, sys
state = 'state/Tally.txt'
calls = len(open(state).read()) if os.path.exists(state) else 0
print(calls, sys.argv[1:], file=sys.stderr)
if len(sys.argv) == 1:
    print('ok')
else:
    open(state, 'a').write('x')
    others = [bot.split(',') for bot in sys.argv[2:] if bot.split(',')[0] != sys.argv[1]]
    print('D' if calls == 0 else others[0][0] if calls == 1 else 'nonsense')
`,
  'exit.pl': `print STDERR "@ARGV\\n"; exit ord $ARGV[1] ? '1' : '0'`,
  'lines.py': `
import sys
asked = 0
for line in sys.stdin:
    print(repr(line), file=sys.stderr)
    if line == 'F\\n':
        asked += 1
        print('0' if asked % 2 else '1', flush=True)
`,
  'Teller.hpp': `
#include "Player.hpp"
#include <iostream>
class Teller final : public Player {
public:
  explicit Teller(size_t opponent = -1) : Player(opponent) { std::cerr << "new " << opponent << std::endl; }
  Action fight() override {
    std::cerr << "fight " << getTurn() << " " << getAmmo() << " " << getAmmoOpponent() << std::endl;
    return getTurn() == 0 ? load() : bullet();
  }
  void perceive(Action action) override {
    Player::perceive(action);
    std::cerr << "perceive " << ACTION[action] << " " << toActionString(getHistory()) << " " << toActionString(getHistoryOpponent()) << std::endl;
  }
  void declared(Result result) override { std::cerr << "declared " << (result == WIN ? "win" : "other") << std::endl; }
};
`,
  'coup.pl': `my ($file, @rest) = @ARGV; $file =~ s{.*/}{}; s/\\n/\\\\n/g for @rest;
    open my $in, '<', $ARGV[0]; my $text = join '', <$in>; $text =~ s/\\n/\\\\n/g;
    print STDERR "$file [$text] ", join('|', @rest), "\\n";
    open my $out, '>>', $ARGV[0]; my %legal = map { $_ => 1 } @ARGV[4 .. $#ARGV];
    print $out $legal{T} ? 'T' : $legal{q} ? 'q' : $ARGV[4];`,
  'negotiate.cpp': `
#include <iostream>
#include <string>
int main() {
  std::cout << "READY" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::cerr << line << std::endl;
    if (line.back() == 'D') std::cout << "4 3 2 1 0\\r" << std::endl;
    if (line.back() == 'N') std::cout << " 5 5" << std::endl;
  }
}
`,
} as const

beforeAll(() => {
  mkdirSync(source)
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(source, name), text)
})

/** Whether this machine has these; a note where it has not. */
function has(...programs: string[]): boolean {
  const missing = programs.filter(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined,
  )
  if (missing.length > 0) console.log(`no ${missing.join(', ')} here: what needs it is skipped`)
  return missing.length === 0
}

interface WithInputs extends Played {
  /** What the program was sent, by its own account. */
  readonly inputs: readonly string[]
}

/** Plays matches of a program at seat 0 against functions that answer by rote (the last of it on and on, '' for the first that is legal). */
async function against(
  definition: GameDefinition,
  wire: string,
  options: Options,
  argv: readonly string[],
  others: readonly (readonly string[])[],
  { memory = 'match', matches = 1, admit = false }: { memory?: Memory; matches?: number; admit?: boolean } = {},
): Promise<WithInputs> {
  const ground = groundFor(definition, { ...definition.game.options, ...options })
  const rote = (script: readonly string[], i: number): Seatable => {
    let turn = 0
    const run = module(
      (view) => (script[Math.min(turn++, script.length - 1)] || allActions(definition.game.legal(view))[0]) ?? '',
    )
    return { name: `rote${i}`, wire: 'module', memory: 'turn', run }
  }
  const program: Seatable = { name: 'Tally', wire, memory, run: { kind: 'process', argv, source } }
  const entrants = [program, ...others.map(rote)]
  const bots = entrants.map((entrant) => ground.factory.bot(entrant, 'life'))
  let last: Played | undefined
  try {
    if (admit) {
      await bots[0]?.begin('admission')
      expect(await bots[0]?.ready({ argv: [] }, 20_000)).toMatchObject({ output: { out: 'ok\n' } })
    }
    for (let match = 1; match <= matches; match++)
      last = await playOn(ground, entrants, bots, String(match), { turn: 20_000, ready: 20_000 })
  } finally {
    await Promise.all(bots.map((bot) => bot.close()))
    rmSync(ground.rooms, { recursive: true, force: true })
  }
  if (last === undefined) throw new Error('no match')
  return { ...last, inputs: ground.factory.stderr('Tally').trimEnd().split('\n') }
}

describe('samurai', () => {
  test('turn: a shell script, its histories absent on the first turn', async () => {
    const { inputs, judged } = await against(
      samurai,
      'turn',
      { turns: 3 },
      [join(source, 'samurai.sh')].flatMap((file) => ['sh', file]),
      [['O', 'B', 'W']],
    )
    expect(inputs).toEqual(['20 20 1 1', 'B O 19 20 2 0', 'BW OB 19 20 2 1'])
    expect(judged.moves).toMatchObject([
      ['B', 'O'],
      [{ fault: 'unparsable', said: 'guard\n' }, 'B'],
      ['I', 'W'],
    ])
  })
})

describe.skipIf(!has('python3'))('programs in Python', () => {
  test('stronger, turn: called without arguments first, its state file kept from match to match', async () => {
    const python = (await findProgram('python3')) ?? 'python3'
    const { inputs, judged } = await against(
      stronger,
      'turn',
      { turns: 2, life: 30 },
      [python, join(source, 'stronger.py')],
      [['0', '1'], ['D']],
      { memory: 'tournament', matches: 2, admit: true },
    )
    expect(inputs.slice(0, 3)).toMatchInlineSnapshot(`
      [
        "0 []",
        "0 ['40', '40,30,10,X', '42,30,10,X', '41,30,10,X']",
        "1 ['40', '40,25,11,D', '42,30,9,D', '41,30,10,40']",
      ]
    `)
    expect(inputs.slice(3)).toMatchInlineSnapshot(`
      [
        "2 ['40', '40,30,10,X', '42,30,10,X', '41,30,10,X']",
        "3 ['40', '40,30,9,X', '42,30,9,D', '41,20,11,41']",
      ]
    `)
    expect(judged.moves.map(([move]) => move)).toMatchObject([{ fault: 'unparsable' }, { fault: 'unparsable' }])
  })

  test('gunduel, lines: one process for all its duels', async () => {
    const python = (await findProgram('python3')) ?? 'python3'
    const { inputs, judged } = await against(
      gunduel,
      'lines',
      { turns: 9 },
      [python, join(source, 'lines.py')],
      [['0', '0', '-', '=', '0']],
      { memory: 'tournament', matches: 2 },
    )
    expect(inputs).toEqual(['I41', 'F', 'P0', 'F', 'P0', 'I41', 'F', 'P-', 'F', 'P='].map((line) => `'${line}\\n'`))
    expect(judged.outcome).toMatchObject({ place: [1, 2], reason: 'shot' })
  })
})

describe('gunduel', () => {
  test('exit: Perl, the status of the turn in the third argument, and a closing call', async () => {
    const { inputs, judged } = await against(
      gunduel,
      'exit',
      { turns: 9 },
      ['perl', join(source, 'exit.pl')],
      [['0', '0']],
    )
    expect(inputs).toEqual(['41 0 3 0 0', '41 1 3 1 1 0 0', '41 2 1 0 2 01 00'])
    expect(judged.outcome).toMatchObject({ place: [1, 2], reason: 'shot' })
  })

  describe.skipIf(!has('c++'))('a class in C++', () => {
    const program = join(place, 'teller')
    beforeAll(() => {
      const [compiler = '', ...args] = shimCommand(readShim(gunduel, 'shim'), join(source, 'Teller.hpp'), [], program)
      execFileSync(compiler, args, { stdio: 'ignore' })
    }, 120_000)
    test.each(['class', 'class-original'])('%s: a fresh object for each duel of a process that stays', async (wire) => {
      const { inputs, judged } = await against(gunduel, wire, { turns: 9 }, [program], [['0', '-', '0', '0']], {
        memory: 'tournament',
        matches: 2,
      })
      const duel = (second: string): string[] => [
        'new 41',
        'fight 0 0 0',
        'perceive 0 0 0',
        'fight 1 1 1',
        `perceive ${second} 01 0${second}`,
      ]
      expect(inputs.slice(0, 5)).toEqual(duel('-'))
      expect(inputs.slice(-6)).toEqual([...duel('0'), 'declared win'])
      expect(judged.outcome).toMatchObject({ place: [1, 2], reason: 'shot' })
    })
  })
})

test('coup, file: Perl, the file, the coins, the cards and the legal moves as arguments', async () => {
  const { inputs, judged } = await against(coup, 'file', {}, ['perl', join(source, 'coup.pl')], [['p', 'I', 'q', '']])
  expect(inputs).toMatchInlineSnapshot(`
    [
      "game.txt [] 1|1|~$|I\\n|F|E|S|T",
      "game.txt [Tp] 1|1|~$|\\n",
      "game.txt [Tp\\nI\\n] 2|4|~$|I\\n|F|E|T|A|S",
      "game.txt [Tp\\nI\\nTq] 2|4|~$|$",
      "game.txt [Tp\\nI\\nTq$'] 2|4|~!|\\n",
      "game.txt [Tp\\nI\\nTq$'\\nI\\n] 3|7|~!|I\\n|F|E|T|A|C|S",
      "game.txt [Tp\\nI\\nTq$'\\nI\\nTp] 3|7|~!|\\n",
      "game.txt [Tp\\nI\\nTq$'\\nI\\nTp\\nI\\n] 4|10|~!|C",
    ]
  `)
  expect(judged.faults).toEqual([])
})

describe.skipIf(!has('c++'))('negotiate', () => {
  test('lines: C++, READY first, then the turn, its lords in any order', async () => {
    const program = join(place, 'negotiate')
    execFileSync('c++', ['-O0', join(source, 'negotiate.cpp'), '-o', program])
    const { inputs, judged } = await against(
      negotiate,
      'lines',
      { turns: 3 },
      [program],
      [
        ['0 0 0 0 0', '1 1'],
        ['1 1 1 1 1', '1 1'],
        ['5 5 5 5 5', '2 2'],
      ],
    )
    expect(inputs).toMatchInlineSnapshot(`
      [
        "3 4 6",
        "4 6 5 3 4 3",
        "1 D",
        "0 0 0 0",
        "0 0 0 0",
        "0 0 0 0",
        "0 0 0 0",
        "0 0 0 0",
        "0 0 0 0",
        "0 0 0 0 0 0",
        "0 0 0 0 0 0",
        "2 N",
        "1 5 0 0",
        "1 0 5 0",
        "1 0 0 0",
        "1 0 0 0",
        "1 0 0 0",
        "0 0 0 5",
        "1 1 1 1 1 0",
        "3 D",
        "1 5 0 0",
        "1 0 5 0",
        "1 0 0 0",
        "1 0 0 0",
        "1 0 0 0",
        "0 0 0 5",
        "1 1 1 1 1 4",
        "0 4 2 0 0 2",
      ]
    `)
    expect(judged.moves.map(([move]) => move)).toEqual(['0 1 2 3 4', '5 5', '0 1 2 3 4'])
  }, 60_000)
})
