import { useText } from '../../data/texts.tsx'

// A note on an item that a file manages: the next `weir apply` of that file undoes changes made here.
import { InlineNote } from './note.tsx'

interface Props {
  /** Name of the file. */
  file: string
  /** Names of the fields that differ from the file. */
  drifted: readonly string[]
}

export function ManagedNote({ file, drifted }: Props) {
  const t = useText()
  return (
    <InlineNote warns={drifted.length > 0} title={t('Managed by {file}', { file })}>
      <p>{t('This is managed by a file: changes made here are undone when the file is applied again.')}</p>
      {drifted.length > 0 && <p>{t('Different from the file: {fields}', { fields: drifted.join(', ') })}</p>}
    </InlineNote>
  )
}
