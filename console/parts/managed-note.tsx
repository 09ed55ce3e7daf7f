// A note on an item that a file manages: the next `weir apply` of that file undoes changes made here.
import { fillPhrase, useTexts } from '../data/texts.tsx'
import { Note } from './note.tsx'
import { words } from './texts.ts'

interface Props {
  /** Name of the file. */
  file: string
  /** Names of the fields that differ from the file. */
  drifted: readonly string[]
}

export function ManagedNote({ file, drifted }: Props) {
  const t = useTexts(words)
  return (
    <Note warns={drifted.length > 0} title={fillPhrase(t.managedBy, { file })}>
      <p>{t.managedHelp}</p>
      {drifted.length > 0 && <p>{fillPhrase(t.managedDrift, { fields: drifted.join(', ') })}</p>}
    </Note>
  )
}
