// Bytes of request bodies that are in memory at once, of each caller and of all: more is refused until others are done.
import { GatewayError } from '../core/index.ts'

/** So many bodies of the largest size may be under way. */
const LARGEST_OF_ONE = 4
const LARGEST_OF_ALL = 16
const RETRY_AFTER_MS = 1000

export interface BodyShare {
  /** @throws GatewayError limit.bytes */
  take(bytes: number): void
  /** Gives back all that was taken. */
  end(): void
}

export class BodyBudget {
  private all = 0
  private readonly ofEach = new Map<number | string, number>()

  /** A share for one request of `who`; `largest`: bytes of the largest body that is read. */
  share(who: number | string, largest: number): BodyShare {
    let taken = 0
    const add = (bytes: number) => {
      taken += bytes
      this.all += bytes
      const own = (this.ofEach.get(who) ?? 0) + bytes
      if (own > 0) this.ofEach.set(who, own)
      else this.ofEach.delete(who)
      return own
    }
    return {
      take: (bytes) => {
        if (add(bytes) <= LARGEST_OF_ONE * largest && this.all <= LARGEST_OF_ALL * largest) return
        throw new GatewayError('limit.bytes', {}, { retry_after_ms: RETRY_AFTER_MS })
      },
      end: () => {
        if (taken > 0) add(-taken)
        taken = 0
      },
    }
  }
}
