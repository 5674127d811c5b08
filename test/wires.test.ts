import { wiresOf } from '../src/core/index.js'
import { games } from '../src/games/index.js'
import { describeWire } from './kit/wire.js'

for (const kit of games) for (const name of Object.keys(wiresOf(kit, kit.game.options))) describeWire(kit, name)
