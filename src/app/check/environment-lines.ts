import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError, type Legal } from '../../core/index.js'
import { type Environment, type Scene, rewardOf } from './environment.js'

/**
 * Answers a learner's line with a line, both JSON: `{"type":"reset","seed"}` and `{"type":"step","action"}`, where the learner plays all
 * seats `{"type":"step","actions"}` by seat. What it gets wrong is answered by `{"error"}`, and changes nothing. Rejects for what goes
 * wrong in the game.
 */
export async function answerLine(environment: Environment, line: string): Promise<string> {
  try {
    return JSON.stringify(sceneLine(environment, await asked(environment, messageOf(line))))
  } catch (error) {
    if (!(error instanceof BadLine)) throw error
    return JSON.stringify({ error: error.message })
  }
}

/** A line that asks for nothing that could be done. */
class BadLine extends Error {}

type Message = Readonly<Record<string, unknown>>

function messageOf(line: string): Message {
  try {
    const message: unknown = JSON.parse(line)
    if (typeof message === 'object' && message !== null) return message as Message
  } catch {
    // Reported below.
  }
  throw new BadLine('a line is a JSON object, such as {"type":"reset","seed":"1"}')
}

async function asked(environment: Environment, message: Message): Promise<Scene> {
  const { type, seed } = message
  if (type === 'reset') {
    if (seed === undefined || seed === null) return environment.reset()
    if (typeof seed !== 'string' && typeof seed !== 'number') throw new BadLine('seed is a text or a number')
    return environment.reset(String(seed))
  }
  if (type !== 'step') throw new BadLine('type is "reset" or "step"')
  try {
    return await environment.step(actionsOf(environment, message))
  } catch (error) {
    throw error instanceof UserError ? new BadLine(error.message) : error
  }
}

function actionsOf({ only }: Environment, { action, actions }: Message): Map<number, string> {
  if (only !== undefined) {
    if (typeof action !== 'string') throw new BadLine('action is a text, one of legal')
    return new Map([[only, action]])
  }
  if (typeof actions !== 'object' || actions === null) throw new BadLine('actions has an action by seat: {"0":"…"}')
  return new Map(
    Object.entries(actions).map(([seat, one]) => {
      if (typeof one !== 'string') throw new BadLine(`the action of seat ${seat} is a text, one of its legal ones`)
      return [Number(seat), one]
    }),
  )
}

function sceneLine({ only }: Environment, { seats, outcome }: Scene): Readonly<Record<string, unknown>> {
  const terminated = outcome !== undefined
  const reward = (seat: number): number => (outcome === undefined ? 0 : rewardOf(outcome, seat))
  const ended = outcome && { outcome }
  if (only !== undefined) {
    const { view, legal } = seats.get(only) ?? { view: null, legal: [] }
    return { observation: view, legal, reward: reward(only), terminated, ...ended }
  }
  const by = <T>(of: (seat: number, own: { view: unknown; legal: Legal }) => T) =>
    Object.fromEntries([...seats].map(([seat, own]) => [seat, of(seat, own)]))
  return {
    observations: by((_, { view }) => view),
    legal: by((_, { legal }) => legal),
    rewards: by(reward),
    terminated,
    ...ended,
  }
}

/** A file that makes environments for Python of these lines. */
export const pythonFile = (): string =>
  readFileSync(fileURLToPath(new URL('../../../templates/env/agon_env.py', import.meta.url)), 'utf8')
