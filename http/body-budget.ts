// Bytes of request bodies that are in memory at once, of each caller and of all: more is refused until others are done.
import { GatewayError } from '../core/index.ts'

/** So many bodies of the largest size may be under way. */
const LARGEST_OF_ONE = 4
const LARGEST_OF_ALL = 16
const RETRY_AFTER_MS = 1000

export class BodyBudget {
  private all = 0
  private readonly ofEach = new Map<number | string, number>()

  /** A share for one request of `who`; `largest`: bytes of the largest body that is read. */
  share(who: number | string, largest: number): BodyShare {
    return new BodyShare(this, who, largest)
  }

  /** Of all, now. */
  get bytes(): number {
    return this.all
  }

  /** @returns whether that is within the bounds */
  add(who: number | string, bytes: number, largest: number): boolean {
    this.all += bytes
    const own = (this.ofEach.get(who) ?? 0) + bytes
    if (own > 0) this.ofEach.set(who, own)
    else this.ofEach.delete(who)
    return own <= LARGEST_OF_ONE * largest && this.all <= LARGEST_OF_ALL * largest
  }
}

/** Of the calls of this process: of their bodies, and of what is fetched for them. */
export const callBytes: BodyBudget = new BodyBudget()

/** What one request has of the budget. */
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

  /** @throws GatewayError limit.bytes */
  take(bytes: number): void {
    this.taken += bytes
    if (this.budget.add(this.who, bytes, this.largest)) return
    throw new GatewayError('limit.bytes', {}, { retry_after_ms: RETRY_AFTER_MS })
  }

  /** Gives back all that was taken. */
  end(): void {
    if (this.taken > 0) this.budget.add(this.who, -this.taken, this.largest)
    this.taken = 0
  }
}
