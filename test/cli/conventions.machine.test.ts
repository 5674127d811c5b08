import { describe, expect, it } from 'vitest'
import { Place } from './agon.js'

const CLASS = `#include "Player.hpp"

int duels = 0;
class AntPlayer : public Player {
public:
  AntPlayer(size_t opponent = -1) : Player(opponent) {}
  Action fight() override { duels++; return getAmmo() > 0 ? bullet() : load(); }
};
`

describe('agon check of a class', () => {
  it('warns of the form that the contest asks for, with file and line, and accepts it', async () => {
    const place = new Place({ 'AntPlayer.hpp': CLASS })
    const checked = await place.agon(['check', 'gunduel', 'AntPlayer.hpp'])
    expect(checked.status, checked.stderr).toBe(0)
    expect(checked.stdout).toMatch(
      /warning: .*AntPlayer\.hpp:3: duels is declared or initialised in the global scope\n/,
    )
    expect(checked.stdout).toMatch(/warning: .*AntPlayer\.hpp:4: the class AntPlayer is not declared final\n/)
    const json = await place.agon(['check', 'gunduel', 'AntPlayer.hpp', '--json'])
    const { ok, warnings } = JSON.parse(json.stdout) as { ok: boolean; warnings: { file: string; line: number }[] }
    expect(ok, json.stdout).toBe(true)
    expect(warnings.map(({ file, line }) => `${file.split('/').at(-1)}:${line}`)).toEqual([
      'AntPlayer.hpp:3',
      'AntPlayer.hpp:4',
    ])
  }, 120_000)
})
