// Copies the bodies of calls for users who have enabled this. For all other calls the cost is one check of the caller.
import type { BodyKeeper, TruncatedBody } from '../bodies/keeper.ts'
import { encodeFrame, type OutputPiece } from '../dialects/answers/frames.ts'
import { joinByteArrays } from '../dialects/json/json-bytes.ts'
import type { Clock } from '../ports/clock.ts'
import type { Reply } from './call.ts'
import { toCallFailure } from './failure.ts'
import type { RelayCall } from './relay.ts'

export function recordBodies(relay: RelayCall, keeper: BodyKeeper, clock: Clock): RelayCall {
  return (call, reply) => {
    const { bodies: recipient } = call.caller
    const limit = recipient === undefined ? 0 : keeper.limit()
    if (recipient === undefined || limit === 0) return relay(call, reply)
    return relayWithCopies(recipient, limit)

    async function relayWithCopies(recipient: string, limit: number): Promise<void> {
      const at = clock.now()
      const { user, token, request_id } = call.caller
      const request = { bytes: call.body.slice(0, limit), size: call.body.length }
      const tee = createTee(reply, limit)
      let failure: { status: number; message: string } | undefined
      try {
        await relay(call, tee.reply)
      } catch (error) {
        failure = toCallFailure(error)
        throw error
      } finally {
        const status = failure?.status ?? tee.status()
        const result = { answer: tee.copied(), status, error: failure?.message ?? '' }
        keeper.take({
          recipient,
          user_id: user.id,
          token_id: token?.id ?? 0,
          request_id,
          at,
          request,
          ...result,
        })
      }
    }
  }
}

/** Forwards everything, and copies the first bytes. */
function createTee(reply: Reply, limit: number) {
  const parts: Uint8Array[] = []
  let [copiedBytes, size, status] = [0, 0, 0]

  function copy(pieces: readonly OutputPiece[]): void {
    for (const piece of pieces) {
      const bytes = piece instanceof Uint8Array ? piece : encodeFrame(piece)
      size += bytes.length
      if (copiedBytes >= limit) continue
      // The buffers are reused, so the bytes are copied.
      const part = bytes.slice(0, limit - copiedBytes)
      parts.push(part)
      copiedBytes += part.length
    }
  }
  const tee: Reply = {
    admitted: (stream, receipt) => reply.admitted(stream, receipt),
    head(head) {
      status = head.status
      reply.head(head)
    },
    write(pieces) {
      copy(pieces)
      return reply.write(pieces)
    },
    whole(head, pieces) {
      status = head.status
      copy(pieces)
      reply.whole(head, pieces)
    },
  }
  return {
    reply: tee,
    status: () => status,
    copied(): TruncatedBody {
      return { bytes: joinByteArrays(parts), size }
    },
  }
}
