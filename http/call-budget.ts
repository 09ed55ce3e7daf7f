// Limits the concurrent calls of this process, for each caller and for all. Further calls are refused before they cost anything.
import { GatewayError } from '../core/index.ts'

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
export const relayCalls: CallBudget = new CallBudget()
