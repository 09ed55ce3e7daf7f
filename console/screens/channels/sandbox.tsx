// Marks the sandbox, a channel type that answers without a provider, wherever it appears.
import type { ChannelType } from '../../../core/channels/contract.ts'
import { useText } from '../../data/texts.tsx'
import { InlineNote } from '../../parts/status/note.tsx'

export const isSandbox = (type: Pick<ChannelType, 'id'>) => type.id === 'sandbox'

/** Returns the name of the type, with the word for sandbox added unless the name contains it. */
export const getSandboxName = ({ name }: Pick<ChannelType, 'name'>, word: string) =>
  name.toLowerCase().includes(word.toLowerCase()) ? name : `${name} (${word})`

export function SandboxBanner() {
  const t = useText()
  return (
    <InlineNote warns>
      {t('This is a sandbox: it simulates a provider. Use it to try Weir, never to serve users.')}
    </InlineNote>
  )
}
