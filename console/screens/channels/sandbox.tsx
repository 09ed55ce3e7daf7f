// Marks the sandbox, a channel type that answers without a provider, wherever it appears.
import type { ChannelType } from '../../../core/channels/contract.ts'
import { text, useText } from '../../data/texts.tsx'
import { InlineNote } from '../../parts/status/note.tsx'

export const isSandbox = (type: Pick<ChannelType, 'id'>) => type.id === 'sandbox'

/** The name of the type, in the language of the reader: no product is called so. */
export const SANDBOX_NAME = text('Sandbox (answers offline)')

export function SandboxBanner() {
  const t = useText()
  return (
    <InlineNote warns>
      {t('This is a sandbox: it simulates a provider. Use it to try Weir, never to serve users.')}
    </InlineNote>
  )
}
