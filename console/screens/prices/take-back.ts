// Changes of prices that can be taken back: by the change that they left in the history, so that nobody else's goes with it.
import { client } from '../../data/client.ts'
import { undoable } from '../../parts/undo.ts'

interface Change {
  model: string
  channel: string
  /** What was done, in short. */
  said: string
  act(): Promise<unknown>
  /** It was taken back. */
  done(): void
}

/** The server refuses to take it back where somebody has changed the price again. */
export const changePrice = ({ model, channel, said, act, done }: Change): Promise<number | undefined> =>
  undoable({
    said,
    async act() {
      await act()
      const { items } = await client.prices.history({ model, channel, p: 1, page_size: 20 })
      return items.find((change) => change.channel === channel)?.id
    },
    async back(change) {
      if (change !== undefined) await client.prices.undo({ change })
      done()
    },
  })
