// What goes with channels, said before they are switched off or deleted: the models that nobody else serves.
import { describeImpact } from '../../../core/channels/loss-words.ts'
import type { Words } from '../../../core/errors.ts'
import { client } from '../../data/client.ts'
import { useLanguage } from '../../data/texts.tsx'
import { askConfirmation, type Question } from '../../parts/confirm.tsx'
import { Note } from '../../parts/note.tsx'

const lossesOf = async (ids: number[]): Promise<Words[]> =>
  ids.length === 0 ? [] : describeImpact(await client.channels.consequences({ ids }))

/** Asks whether channels may go, naming what goes with them. */
export async function mayGo(ids: number[], question: Question): Promise<boolean> {
  const losses = await lossesOf(ids)
  return askConfirmation(losses.length === 0 ? question : { ...question, body: <Losses losses={losses} /> })
}

/** Asks only where something goes with them: for what can be taken back. */
export async function mayRest(ids: number[], question: Question): Promise<boolean> {
  const losses = await lossesOf(ids)
  return losses.length === 0 || askConfirmation({ ...question, body: <Losses losses={losses} /> })
}

function Losses({ losses }: { losses: Words[] }) {
  const { language } = useLanguage()
  return (
    <Note warns>
      {losses.map((loss) => (
        <div key={loss.en}>{loss[language]}</div>
      ))}
    </Note>
  )
}
