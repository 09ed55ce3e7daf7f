// Says of something that a file owns: what is changed here, the next `weir apply` of that file undoes.
import { fill, useTexts } from '../data/texts.tsx'
import { Note } from './note.tsx'
import { words } from './texts.ts'

interface Props {
  /** Its name. */
  file: string
  /** Names of the fields that are not as it says. */
  drifted: readonly string[]
}

export function ManagedNote({ file, drifted }: Props) {
  const t = useTexts(words)
  return (
    <Note warns={drifted.length > 0} title={fill(t.managedBy, { file })}>
      <p>{t.managedHelp}</p>
      {drifted.length > 0 && <p>{fill(t.managedDrift, { fields: drifted.join(', ') })}</p>}
    </Note>
  )
}
