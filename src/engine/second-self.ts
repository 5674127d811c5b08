import { PassingPlayer } from '../core/passing-player.js'

/** What stands for a match, or a life, in the chance of the second bot of an entrant that meets itself: another than the first's. */
export const secondKey = (key: string): string => `${key}/second`

/** The second bot of an entrant that meets itself. With the first's chance it would do as that does, draw for draw. */
export class SecondSelf extends PassingPlayer {
  override begin(key: string): Promise<void> | void {
    return super.begin(secondKey(key))
  }
}
