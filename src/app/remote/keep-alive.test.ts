import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { keepAlive } from './link.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('pings every ten seconds, and ends a connection that gives no sign for thirty', () => {
  const done: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    readyState: 0,
    ping: () => void done.push('ping'),
    terminate: () => void done.push('terminate'),
  })
  keepAlive(socket as unknown as WebSocket)
  vi.advanceTimersByTime(10_000)
  expect(done).toEqual([])
  socket.readyState = 1
  vi.advanceTimersByTime(20_000)
  socket.emit('pong')
  vi.advanceTimersByTime(20_000)
  expect(done).toEqual(['ping', 'ping', 'ping', 'ping'])
  vi.advanceTimersByTime(10_000)
  expect(done.at(-1)).toBe('terminate')
  socket.emit('close')
  expect(vi.getTimerCount()).toBe(0)
})
