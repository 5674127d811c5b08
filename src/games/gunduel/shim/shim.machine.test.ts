import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const shim = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')
const compiler = spawnSync('c++', ['--version']).status === 0
const { command } = JSON.parse(readFileSync(join(shim, 'build.json'), 'utf8')) as { command: readonly string[] }

/** Entries made to trip a shim up. Each tells what it sees of its books on std::cout, which must come out on standard error. */
const ENTRIES = {
  'TellingPlayer.hpp': `
    #ifndef TELLING_PLAYER_HPP
    #define TELLING_PLAYER_HPP
    #include "Player.hpp"
    #include "TellingPlayerTools.hpp"
    #include <algorithm>
    #include <iostream>
    #include <map>
    #include <random>
    class TellingPlayer final : public Player {
    public:
      TellingPlayer(size_t opponent = -1) : Player(opponent) { ++duels; }
      virtual Action fight() {
        std::string stolen;
        std::cin >> stolen;
        printf("0\\n");
        std::cout << "fight" << stolen << tellBooks(*this) << " foe " << getOpponent() << ":" << getAmmoOpponent() << " duel " << duels << std::endl;
        std::map<int, Action> script{{0, LOAD}, {1, METAL}, {2, THERMAL}, {3, BULLET}, {4, PLASMA}};
        switch (script[std::min(getTurn(), 4)]) {
          case LOAD: return load();
          case METAL: return metal();
          case THERMAL: return thermal();
          case BULLET: return bullet();
          default: return plasma();
        }
      }
      void perceive(Action action) override {
        std::cout << "before" << tellBooks(*this) << std::endl;
        Player::perceive(action);
        std::cout << "after" << tellBooks(*this) << " foe " << ACTION[action] << ":" << getAmmoOpponent() << std::endl;
      }
      void declared(Result result) override { std::cout << "declared " << result << tellBooks(*this) << std::endl; }
    private:
      static int duels;
    };
    int TellingPlayer::duels = 0;
    #endif`,
  'TellingPlayerTools.hpp': `
    #pragma once
    #include "Player.hpp"
    std::string tellBooks(const Player &player);`,
  'TellingPlayerTools.cpp': `
    #include "TellingPlayerTools.hpp"
    #include <iostream>
    static struct Loud { Loud() { std::cout << "hello" << std::endl; } } loud;
    std::string tellBooks(const Player &player) {
      return " " + std::to_string(player.getTurn()) + ":" + std::to_string(player.getAmmo()) + " " +
        toActionString(player.getHistory()) + "/" + toActionString(player.getHistoryOpponent());
    }`,
  'ForgetfulPlayer.hpp': `
    #include "Player.hpp"
    #include "TellingPlayer.hpp"
    class ForgetfulPlayer final : public Player {
    public:
      explicit ForgetfulPlayer(size_t opponent = -1) : other(opponent) {}
      Action fight() override {
        std::cout << "fight" << tellBooks(*this) << " foe " << getOpponent() << ":" << getAmmoOpponent() << std::endl;
        load();
        load();
        if (getTurn() == 5) return static_cast<Action>(7);
        return METAL;
      }
      void perceive(Action) override {}
      void declared(Result result) override { std::cout << "declared " << result << tellBooks(*this) << std::endl; }
    private:
      TellingPlayer other;
    };`,
  'LuckyPlayer.hpp': `
    #include "Player.hpp"
    class LuckyPlayer final : public Player {
    public:
      LuckyPlayer(size_t opponent = -1) : Player(opponent) {}
      Action fight() override {
        // It lacks the includes for these.
        static int highest = std::min(0, static_cast<int>(sqrt(2.0)));
        std::map<int, int> unused;
        for (int n = 0; n < 1000; ++n) highest = GetRandomInteger(4) > highest ? 4 : highest;
        if (highest > 4 || GetRandomInteger(0) != 0 || GetRandomInteger() < 0) throw 1;
        return static_cast<Action>(GetRandomInteger(4));
      }
    };`,
  // What an entry might bring along from 2017: the shim's own header must win.
  'Player.hpp': `
    #ifndef __PLAYER_HPP__
    #error the old header was read
    #endif`,
} as const

describe.skipIf(!compiler)('a class as a program (needs a compiler called c++)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agon-shim-'))
  const build = (name: string): Promise<unknown> => {
    const sources = [join(folder, 'TellingPlayerTools.cpp')]
    const values: Record<string, string> = { shim, folder, header: `${name}.hpp`, class: name, out: join(folder, name) }
    const words = command.flatMap((word) =>
      word === '{sources}' ? sources : [word.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '')],
    )
    return promisify(execFile)(words.at(0) as string, words.slice(1))
  }
  beforeAll(async () => {
    for (const [name, text] of Object.entries(ENTRIES)) writeFileSync(join(folder, name), text)
    await Promise.all(['TellingPlayer', 'ForgetfulPlayer', 'LuckyPlayer'].map(build))
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** All that the program answers and tells, given all lines at once. */
  const talk = (name: string, lines: string, seed = '1'): Promise<{ out: string; calls: readonly string[] }> =>
    new Promise((done, fail) => {
      const child = spawn(join(folder, name), [], { env: { AGON_SEED: seed } })
      let [out, err] = ['', '']
      child.stdout.setEncoding('latin1').on('data', (text: string) => (out += text))
      child.stderr.setEncoding('latin1').on('data', (text: string) => (err += text))
      child.on('error', fail)
      child.on('close', (code) => {
        expect(code).toBe(0)
        const calls = err.split('\n').filter((line) => /^(hello|fight|before|after|declared)/.test(line))
        done({ out, calls })
      })
      child.stdin.end(lines.split(' / ').join('\n') + '\n')
    })

  test('the calls in order, the books in step, a fresh object a duel, statics kept, noise apart', async () => {
    const { out, calls } = await talk('TellingPlayer', 'I7 0 / F / P-0 / F / P0- / R1 / I3 2 / F / R2')
    expect(out).toBe('0\n-\n0\n')
    expect(calls).toEqual([
      'hello',
      'fight 0:0 / foe 7:0 duel 1',
      'before 1:1 0/',
      'after 1:1 0/- foe -:0',
      'fight 1:1 0/- foe 7:0 duel 1',
      'before 2:1 0-/-',
      'after 2:1 0-/-0 foe 0:1',
      'declared 1 2:1 0-/-0',
      'fight 0:2 / foe 3:2 duel 2',
      // A turn with a fault is not perceived: what load() noted is gone.
      'declared 2 0:2 /',
    ])
  })

  test("what is returned counts, the books are the referee's although perceive leaves the base out", async () => {
    const { out, calls } = await talk('ForgetfulPlayer', 'I5 0 / F / P0- / F / P1- / F / P-- / F / R0')
    expect(out).toBe('-\n-\n-\n?\n')
    expect(calls.slice(1)).toEqual([
      'fight 0:0 / foe 5:0',
      'fight 1:0 -/0 foe 5:1',
      'fight 2:0 --/01 foe 5:0',
      'fight 3:0 ---/01- foe 5:0',
      'declared 0 3:0 ---/01-',
    ])
  })

  test("opened with J the opponent's books are what perceive keeps: nothing here", async () => {
    const { calls } = await talk('ForgetfulPlayer', 'J5 1 / F / P0- / F / P1- / R2')
    expect(calls.slice(1)).toEqual(['fight 0:1 / foe 5:1', 'fight 1:1 -/ foe 5:1', 'declared 2 2:1 --/'])
    const kept = await talk('TellingPlayer', 'J5 0 / F / P-0 / R2')
    expect(kept.calls.at(-1)).toBe('declared 2 1:1 0/-')
  })

  test('chance comes from AGON_SEED alone', async () => {
    const lines = `I1 0 / ${Array.from({ length: 40 }, () => 'F').join(' / ')}`
    const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => talk('LuckyPlayer', lines, String(seed))))
    expect(one?.out).toBe(same?.out)
    expect(one?.out).not.toBe(other?.out)
    expect(new Set(one?.out.split('\n'))).toEqual(new Set(['0', '1', '2', '-', '=', '']))
  })
})
