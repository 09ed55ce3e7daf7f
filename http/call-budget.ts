// Calls under way in this process, of each caller and of all: more is refused until others are done, before it costs anything.
import { GatewayError } from '../core/index.ts'

export class CallBudget {
  private all = 0
  private readonly ofEach = new Map<number, number>()

  /**
   * Counts a call of `who` among at most `most` (0 for any number), of which one caller has half; gives what ends it.
   * @throws GatewayError server.busy
   */
  take(who: number, most: number): () => void {
    const own = this.ofEach.get(who) ?? 0
    if (most > 0 && (this.all >= most || own >= Math.ceil(most / 2))) throw new GatewayError('server.busy')
    this.all += 1
    this.ofEach.set(who, own + 1)
    return () => {
      this.all -= 1
      const left = (this.ofEach.get(who) ?? 1) - 1
      if (left > 0) this.ofEach.set(who, left)
      else this.ofEach.delete(who)
    }
  }
}

/** Of the relay in this process. */
export const relayCalls: CallBudget = new CallBudget()
