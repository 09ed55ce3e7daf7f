// Price changes with an undo: each is reverted by its entry in the history, so that no change of another user is lost.
import { apiClient } from '../../data/client.ts'
import { runWithUndo } from '../../parts/overlay/undo.ts'

interface StoredPriceChange {
  model: string
  channel: string
  /** Short description of the change. */
  message: string
  /** The message begins with a word, and not with the name of the model. */
  isSentence?: boolean
  act(): Promise<unknown>
  /** Called after the undo. */
  done(): void
}

/** The server refuses the undo if the price was changed again. */
export const changeModelPrice = ({
  model,
  channel,
  message,
  isSentence,
  act,
  done,
}: StoredPriceChange): Promise<number | undefined> =>
  runWithUndo({
    message,
    isSentence,
    async act() {
      await act()
      const { items } = await apiClient.prices.history({ model, channel, p: 1, page_size: 20 })
      return items.find((change) => change.channel === channel)?.id
    },
    async back(change) {
      if (change !== undefined) await apiClient.prices.undo({ change })
      done()
    },
  })
