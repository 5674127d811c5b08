import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from './kit.js'

export const measures =
  'duels a second of 17 C++ classes, each in a sandbox of its own, through the whole of agon, against the same classes in one program'

const ENTRIES = 17
/** Duels a pair: the contest's figure at full size. */
const [FEW, MANY] = [10, 100]

const SHIM = fileURLToPath(new URL('../src/games/gunduel/shim', import.meta.url))
const MAIN = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))

/** An entry that shoots and hides by chance, each with weights of its own. */
const entry = (n: number): string => `#pragma once
#include "Player.hpp"
class Entry${n} final : public Player {
public:
  explicit Entry${n}(size_t opponent = -1) : Player(opponent) {}
  Action fight() override {
    const int mood = GetRandomInteger(99);
    if (getAmmo() >= 2 && mood < ${20 + 3 * n}) return plasma();
    if (getAmmo() >= 1 && mood < ${55 + n}) return bullet();
    if (getAmmoOpponent() == 0 || mood > ${95 - 2 * n}) return load();
    return getAmmoOpponent() >= 2 && mood % 2 ? thermal() : metal();
  }
};
`

export default async function bench(full: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-large-'))
  const names = Array.from({ length: ENTRIES }, (_, n) => `Entry${n}`)
  try {
    for (const [n, name] of names.entries()) writeFileSync(join(folder, `${name}.hpp`), entry(n))
    const duels = full ? MANY : FEW
    const ours = sandboxes(folder, names, duels)
    const theirs = linked(folder, names, duels)
    return [{ name: 'duels', value: ours, limit: theirs, ratio: ours / theirs, goal: 0.01 }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Duels a second through `agon run`. Building, admission and the report cost the same however many are played: they are left out. */
function sandboxes(folder: string, names: readonly string[], duels: number): number {
  const entrants = names.map((name) => `[[entrants]]\nname = "${name}"\nclass = "${name}.hpp"\n`)
  const head = 'game = "gunduel"\nseed = "large"\nmemory = "tournament"\n[format]\nkind = "round-robin"\n'
  writeFileSync(join(folder, 'large.toml'), `${head}repetitions = 1\n${entrants.join('')}`)
  const run = (matches: number): number => {
    const out = join(folder, `out-${matches}`)
    const words = ['run', 'large.toml', '--matches', String(matches), '--out', out, '--workspace', '.agon', '--json']
    const began = performance.now()
    execFileSync(process.execPath, [MAIN, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
    return performance.now() - began
  }
  run(1)
  const [one, all] = [run(2), run(duels + 2)]
  return ((pairs(names.length) * duels) / (all - one)) * 1000
}

/** Duels a CPU second of one program. */
function linked(folder: string, names: readonly string[], duels: number): number {
  const makers = names.map((name) => `[](std::size_t opponent) -> Player * { return new ${name}(opponent); }`)
  const header = `${names.map((name) => `#include "${name}.hpp"\n`).join('')}static Player *(*const MAKERS[])(std::size_t) = {${makers.join(', ')}};\n`
  writeFileSync(join(folder, 'entries.hpp'), header)
  const program = join(folder, 'large')
  const source = join(import.meta.dirname, 'cells', 'large.cpp')
  execFileSync('c++', [
    '-std=c++14',
    '-O2',
    `-I${SHIM}`,
    `-I${folder}`,
    '-DENTRIES="entries.hpp"',
    source,
    '-o',
    program,
  ])
  // Enough of them to be timed.
  const [played = 0, , seconds = NaN] = execFileSync(program, [String(Math.max(duels, 1000))], { encoding: 'utf8' })
    .split(' ')
    .map(Number)
  return played / seconds
}

const pairs = (n: number): number => (n * (n - 1)) / 2
