// Counts the frames of a WebSocket in the bytes of its connection, including fragments, pings and pongs, which the
// library reports late or not at all. An empty frame counts as much as a large one, because each costs work.

export interface FrameRate {
  /** Counts the frames that begin in the next bytes of the connection. Returns false once the limit is exceeded. */
  admits(bytes: Uint8Array): boolean
  /** Reports that reading was paused until now: frames that the sender sent during the pause may arrive at once. */
  onResumed(): void
}

/** The longest pause that a sender gets credit for. Unit: seconds. */
const MAX_HELD_SECONDS = 60

/**
 * `perSecond` frames may arrive in a second, or at once after a pause of that length; `now` is in ms, and never goes
 * back.
 */
export function createFrameRate(perSecond: number, now: () => number): FrameRate {
  const walk = createFrameWalk()
  let remaining = perSecond
  let earnedAt = now()

  function earn(most: number): void {
    const at = now()
    const earned = ((at - earnedAt) / 1000) * perSecond
    remaining = Math.max(remaining, Math.min(most, remaining + earned))
    earnedAt = at
  }

  return {
    admits(bytes) {
      earn(perSecond)
      return walk(bytes, () => --remaining >= 0)
    },
    onResumed: () => earn(perSecond * MAX_HELD_SECONDS),
  }
}

/** Calls `onFrame` for each frame that begins in the bytes, and stops for good once it returns false. */
type FrameWalk = (bytes: Uint8Array, onFrame: () => boolean) => boolean

const SHORT_HEAD = 2
const MASK = 4

/**
 * Parses the headers of frames (RFC 6455, 5.2) and skips the rest. A header may be split anywhere between two runs of
 * bytes.
 */
function createFrameWalk(): FrameWalk {
  const head = new DataView(new ArrayBuffer(14))
  let filled = 0
  let needed = SHORT_HEAD
  let payload = 0

  return (bytes, onFrame) => {
    for (let at = 0; at < bytes.length;) {
      if (payload > 0) {
        const skipped = Math.min(payload, bytes.length - at)
        payload -= skipped
        at += skipped
        continue
      }
      head.setUint8(filled++, bytes[at++]!)
      if (filled === SHORT_HEAD) needed = headLength(head.getUint8(1))
      if (filled < needed) continue
      payload = payloadLength(head)
      filled = 0
      needed = SHORT_HEAD
      if (!onFrame()) return false
    }
    return true
  }
}

/**
 * Returns the length of a header from its second byte: the mask bit, and seven bits with the payload length or the size
 * of its field.
 */
const headLength = (second: number): number => {
  const short = second & 0x7f
  return SHORT_HEAD + (short === 126 ? 2 : short === 127 ? 8 : 0) + (second & 0x80 ? MASK : 0)
}

function payloadLength(head: DataView): number {
  const short = head.getUint8(1) & 0x7f
  return short === 126 ? head.getUint16(2) : short === 127 ? Number(head.getBigUint64(2)) : short
}
