import { findContest } from '../../app/site/contests.js'
import { positionOf } from '../../app/site/feed.js'
import type { Listener } from '../channel.js'
import { type ApiRoute, route } from '../route.js'
import { contestId } from './reading.js'

/** What happens to a contest, as it happens. */
export const eventRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'get',
      path: '/contests/{id}/events',
      access: 'anyone',
      summary: 'What happens to a contest, as server-sent events',
      description:
        'First comes `contest`, the contest as it is; then `matches` (count: how many were played since the event before; items: the newest of them), and what happens to the contest and its entries. Each has an id: whoever sends the last one back as `Last-Event-ID` misses nothing.',
      params: contestId,
      status: 200,
      media: 'text/event-stream',
    },
    async ({ site, channels }, { c, params }) => {
      await findContest(site, params.id)
      const last = c.req.header('last-event-id')
      const since = last === undefined || last === '' ? undefined : positionOf(last)
      const channel = channels.of(params.id)
      let listener: Listener | undefined
      const body = new ReadableStream<Uint8Array>(
        {
          async start(controller) {
            listener = listenerOf(controller)
            await channel.join(listener, since)
          },
          cancel() {
            if (listener !== undefined) channel.leave(listener)
          },
        },
        { highWaterMark: 0 },
      )
      return new Response(body, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      })
    },
  ),
]

function listenerOf(controller: ReadableStreamDefaultController<Uint8Array>): Listener {
  const encoder = new TextEncoder()
  let open = true
  let waiting = 0
  return {
    send(text) {
      if (!open) return 0
      const bytes = encoder.encode(text)
      controller.enqueue(bytes)
      // The stream counts chunks that nobody has taken: what they hold is no more than all that was sent since it was empty.
      waiting = (controller.desiredSize ?? 0) >= -1 ? bytes.length : waiting + bytes.length
      return waiting
    },
    end() {
      if (!open) return
      open = false
      controller.close()
    },
  }
}
