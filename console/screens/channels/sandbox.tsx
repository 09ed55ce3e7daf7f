// The sandbox is a channel type that answers by itself. Wherever it appears, it says so.
import type { ChannelType } from '../../../core/channels/contract.ts'
import { useTexts } from '../../data/texts.tsx'
import { Banner } from '../../semi.ts'
import { words } from './texts.ts'

export const isSandbox = (type: Pick<ChannelType, 'id'>) => type.id === 'sandbox'

export function SandboxBanner() {
  const t = useTexts(words)
  return <Banner fullMode={false} type="warning" closeIcon={null} description={t.sandboxLong} />
}
