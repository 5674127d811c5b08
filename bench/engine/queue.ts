import { requestOf, TestQueue } from '../../test/kit/queue.js'
import { type Row, fast, figure, median, quick } from '../kit.js'

/** Matches of a batch, and batches that are sent in one statement. */
const MATCHES = 100
const WINDOW = 80
/** Milliseconds that a batch of the backlog takes. */
const BATCH_MS = 100
const URGENT = 20

/** How fast so many matches are put into a queue, in windows, and taken back. */
export async function enqueue(url: string, matches: number): Promise<readonly Row[]> {
  const queue = await TestQueue.open(url)
  try {
    const began = performance.now()
    await fill(queue, 'backlog', matches / MATCHES, MATCHES)
    const sent = performance.now()
    await queue.queues.clear('backlog')
    return [
      figure(`matches put into the queue a second (${matches}, ${MATCHES} a batch)`, (1000 * matches) / (sent - began)),
      figure('seconds until they are taken back', (performance.now() - sent) / 1000),
    ]
  } finally {
    await queue.close()
  }
}

/** Milliseconds until a requested match is answered, behind so many batches. */
export async function urgent(url: string, batches: number): Promise<readonly Row[]> {
  const queue = await TestQueue.open(url)
  try {
    await queue.run('backlog')
    await fill(queue, 'backlog', batches, 1)
    const queues = [{ queue: 'backlog', needs: { labels: [], bots: [] } }]
    await queue.registry.tell('backlog', { paused: false, ended: false, urgent: false, queues })
    let played = 0
    const play = async (_: unknown, run: string) => {
      if (run === 'backlog') await new Promise((done) => setTimeout(done, BATCH_MS))
      played++
      return { failure: 'mistake' as const, why: run }
    }
    for (const id of ['one', 'other']) await queue.worker(id, play, { slots: 2 })
    while (played < 8) await new Promise((done) => setTimeout(done, 10))
    const trial = await queue.run('trial', { urgent: true })
    const times: number[] = []
    for (let n = 0; n < URGENT; n++) {
      const began = performance.now()
      await trial.play([requestOf(`trial-${n}`)])
      times.push(performance.now() - began)
    }
    return [
      quick(`a requested match behind ${batches} batches, ms`, median(times), 1000),
      quick('the slowest of them, ms', Math.max(...times), 1000),
      fast('batches of the backlog that went on beside them', played - 8 - URGENT, 1),
    ]
  } finally {
    await queue.close()
  }
}

async function fill({ queues }: TestQueue, lane: string, count: number, matches: number): Promise<void> {
  await queues.make(lane)
  for (let from = 0; from < count; from += WINDOW) {
    const window = Array.from({ length: Math.min(WINDOW, count - from) }, (_, i) => ({
      id: `00000000-0000-4000-8000-${(from + i).toString(16).padStart(12, '0')}`,
      data: { run: lane, jobs: Array.from({ length: matches }, (__, m) => requestOf(`${from + i}-${m}`)) },
    }))
    await queues.send(lane, window)
  }
}
