// The sandbox is a channel type that answers by itself. Wherever it appears, it says so.
import type { ChannelType } from '../../../core/channels/contract.ts'
import { useTexts } from '../../data/texts.tsx'
import { words } from './texts.ts'
import { Note } from '../../parts/note.tsx'

export const isSandbox = (type: Pick<ChannelType, 'id'>) => type.id === 'sandbox'

/** The type's name, with the word where the name itself does not have it. */
export const sandboxName = ({ name }: Pick<ChannelType, 'name'>, word: string) =>
  name.toLowerCase().includes(word.toLowerCase()) ? name : `${name} (${word})`

export function SandboxBanner() {
  const t = useTexts(words)
  return <Note warns>{t.sandboxLong}</Note>
}
