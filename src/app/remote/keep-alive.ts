import type { WebSocket } from 'ws'
import { DEAD_MS, PING_MS } from './link.js'

/** Pings the other end, and ends the connection where nothing has come from it for long. */
export function keepAlive(socket: Pick<WebSocket, 'ping' | 'terminate' | 'on'>): void {
  let heard = performance.now()
  const hear = (): void => void (heard = performance.now())
  const timer = setInterval(() => {
    if (performance.now() - heard > DEAD_MS) socket.terminate()
    else socket.ping()
  }, PING_MS)
  for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, hear)
  socket.on('close', () => clearInterval(timer))
}
