// Limits the bytes of request bodies in memory, for each caller and for all. Further bodies are refused until others are done.
import { GatewayError } from '../core/index.ts'

/** Numbers of bodies of the maximum size that fit into the budget of one caller and of all. */
const LARGEST_OF_ONE = 4
const LARGEST_OF_ALL = 16
const RETRY_AFTER_MS = 1000

export class BodyBudget {
  private all = 0
  private readonly ofEach = new Map<number | string, number>()

  /** Creates the share of one request of `who`. `largest` is the maximum size of a body, in bytes. */
  share(who: number | string, largest: number): BodyShare {
    return new BodyShare(this, who, largest)
  }

  /** Bytes of all callers that are in memory now. */
  get bytes(): number {
    return this.all
  }

  /** Adds bytes to the budget. @returns true if the totals are within the limits */
  add(who: number | string, bytes: number, largest: number): boolean {
    this.all += bytes
    const own = (this.ofEach.get(who) ?? 0) + bytes
    if (own > 0) this.ofEach.set(who, own)
    else this.ofEach.delete(who)
    return own <= LARGEST_OF_ONE * largest && this.all <= LARGEST_OF_ALL * largest
  }
}

/** The budget of the calls of this process: their bodies, and the data fetched for them. */
export const callByteBudget: BodyBudget = new BodyBudget()

/** The share of one request in the budget. */
export class BodyShare {
  private taken = 0
  private readonly budget: BodyBudget
  private readonly who: number | string
  private readonly largest: number

  constructor(budget: BodyBudget, who: number | string, largest: number) {
    this.budget = budget
    this.who = who
    this.largest = largest
  }

  /** Takes bytes from the budget. @throws GatewayError limit.bytes */
  take(bytes: number): void {
    this.taken += bytes
    if (this.budget.add(this.who, bytes, this.largest)) return
    throw new GatewayError('limit.bytes', {}, { retry_after_ms: RETRY_AFTER_MS })
  }

  /** Returns all taken bytes to the budget. */
  end(): void {
    if (this.taken > 0) this.budget.add(this.who, -this.taken, this.largest)
    this.taken = 0
  }
}

// Limits the concurrent calls of this process, for each caller and for all. Further calls are refused before they cost anything.

export class CallBudget {
  private all = 0
  private readonly ofEach = new Map<number, number>()

  /**
   * Counts a call of `who` and returns the function that ends it. `most` is the limit for all callers, 0 for none. One caller may
   * have half of it.
   * @throws GatewayError server.busy
   */
  take(who: number, most: number): () => void {
    const own = this.ofEach.get(who) ?? 0
    if (most > 0 && (this.all >= most || own >= Math.ceil(most / 2))) throw new GatewayError('server.busy')
    this.all += 1
    this.ofEach.set(who, own + 1)
    return () => {
      this.all -= 1
      const remaining = (this.ofEach.get(who) ?? 1) - 1
      if (remaining > 0) this.ofEach.set(who, remaining)
      else this.ofEach.delete(who)
    }
  }
}

/** The concurrent calls of the relay in this process. */
export const relayCallBudget: CallBudget = new CallBudget()
