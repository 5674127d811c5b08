import { WebSocket } from 'ws'

/** Milliseconds between two pings. */
const PING_MS = 10_000
/** So many pings without a sign of the other end, and the connection is taken for dead. */
const MISSED = 2

/** Pings the other end, and ends the connection where nothing comes from it. A process that stood still hears first what came meanwhile. */
export function keepAlive(socket: Pick<WebSocket, 'ping' | 'terminate' | 'on' | 'readyState'>): void {
  let missed = 0
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (missed++ < MISSED) socket.ping()
    else socket.terminate()
  }, PING_MS)
  for (const sign of ['message', 'ping', 'pong'] as const) socket.on(sign, () => (missed = 0))
  socket.on('close', () => clearInterval(timer))
}
