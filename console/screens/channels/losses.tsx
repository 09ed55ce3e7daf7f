// Lists the models that no other channel serves before channels are disabled or deleted.
import { describeImpact } from '../../../core/channels/impact.ts'
import type { Words } from '../../../core/errors.ts'
import { apiClient } from '../../data/client.ts'
import { useLanguage } from '../../data/texts.tsx'
import { askConfirmation, type ConfirmationQuestion } from '../../parts/overlay/confirm.tsx'
import { InlineNote } from '../../parts/status/note.tsx'

const describeLosses = async (ids: number[]): Promise<Words[]> =>
  ids.length === 0 ? [] : describeImpact(await apiClient.channels.consequences({ ids }))

/** Asks for confirmation to delete channels, listing the models that would be lost. */
export async function confirmDelete(ids: number[], question: ConfirmationQuestion): Promise<boolean> {
  const losses = await describeLosses(ids)
  return askConfirmation(losses.length === 0 ? question : { ...question, body: <Losses losses={losses} /> })
}

/** Asks for confirmation only if models would be lost, because disabling can be undone. */
export async function confirmDisable(ids: number[], question: ConfirmationQuestion): Promise<boolean> {
  const losses = await describeLosses(ids)
  return losses.length === 0 || askConfirmation({ ...question, body: <Losses losses={losses} /> })
}

function Losses({ losses }: { losses: Words[] }) {
  const { language } = useLanguage()
  return (
    <InlineNote warns>
      {losses.map((loss) => (
        <div key={loss.en}>{loss[language]}</div>
      ))}
    </InlineNote>
  )
}
