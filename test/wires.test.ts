import { wiresOf } from '../src/core/index.js'
import { DEFAULT_LIMITS, findIsolation } from '../src/sandbox/index.js'
import { games } from '../src/games/index.js'
import { describeWire } from './kit/wire.js'

const { launcher = '', program: bubblewrap } = await findIsolation()

for (const kit of games) {
  for (const [name, { transport }] of Object.entries(wiresOf(kit, kit.game.options))) {
    describeWire(kit, name)
    if (bubblewrap !== undefined && transport !== 'module')
      describeWire(kit, name, { maker: { launcher, bubblewrap }, limits: DEFAULT_LIMITS, warm: true })
  }
}
