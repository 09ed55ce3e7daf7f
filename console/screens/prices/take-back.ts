// Price changes with an undo: each is reverted by its entry in the history, so that no change of another user is lost.
import { client } from '../../data/client.ts'
import { runWithUndo } from '../../parts/undo.ts'

interface Change {
  model: string
  channel: string
  /** Short description of the change. */
  message: string
  act(): Promise<unknown>
  /** Called after the undo. */
  done(): void
}

/** The server refuses the undo if the price was changed again. */
export const changePrice = ({ model, channel, message, act, done }: Change): Promise<number | undefined> =>
  runWithUndo({
    message,
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
